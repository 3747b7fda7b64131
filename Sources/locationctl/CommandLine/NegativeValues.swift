/// Values that begin with a minus sign: the parser would treat `-1h` in `--from -1h` as an option.
package enum NegativeValues {
  /// The options whose values are times, numbers or coordinates.
  private static let options: Set<String> = [
    "--accuracy", "--after", "--at", "--batch", "--count", "--distance-filter", "--duration", "--dwell", "--from",
    "--interval",
    "--listen", "--max-age", "--max-gap", "--minutes", "--near", "--nearest", "--radius", "--rate", "--shift",
    "--speed",
    "--timeout", "--to", "-n",
  ]

  /// The arguments, with each such value attached to its option: `--from=-1h`.
  package static func attached(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for argument in arguments {
      if let option = result.last, options.contains(option), argument.utf8.count > 1, argument.first == "-",
        let second = argument.dropFirst().first, second == "." || (second.isASCII && second.isNumber)
      {
        result[result.count - 1] = "\(option)=\(argument)"
      } else if isPosition(argument) {
        // A position that is an argument of its own; notations may begin with a space.
        result.append(" \(argument)")
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// Whether an argument is a position in the south, such as `-33.9,18.4`, and not an option.
  private static func isPosition(_ argument: String) -> Bool {
    guard argument.first == "-", let second = argument.dropFirst().first else { return false }
    return second.isASCII && second.isNumber && argument.contains(",")
  }
}
