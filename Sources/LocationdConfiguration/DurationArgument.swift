/// A duration as people write it: `90s`, `5m`, `1h30m`, `2d`; a bare number is seconds.
package struct DurationArgument: Hashable {
  package let seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  /// `nil` if the text is not a duration.
  package init?(argument: String) {
    guard let seconds = Self.seconds(argument) else { return nil }
    self.init(seconds: seconds)
  }

  /// Units have to appear in this order, each at most once: `5m1h` is rejected as a typing error, and so is `1m30`,
  /// whose last number has no unit.
  private static let units: [(letter: Character, seconds: Int)] = [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]

  private static func seconds(_ text: String) -> Int? {
    if let seconds = number(text[...]) { return seconds }
    var (total, rest, left) = (0, text[...], units[...])
    while !rest.isEmpty {
      guard let end = rest.firstIndex(where: { !$0.isASCII || !$0.isNumber }), let count = number(rest[..<end]),
        let unit = left.firstIndex(where: { $0.letter == rest[end] }),
        case let (part, isTooMuch) = count.multipliedReportingOverflow(by: units[unit].seconds), !isTooMuch,
        case let (sum, isTooLong) = total.addingReportingOverflow(part), !isTooLong
      else { return nil }
      (total, rest, left) = (sum, rest[rest.index(after: end)...], left[(unit + 1)...])
    }
    return text.isEmpty ? nil : total
  }

  /// At most nine digits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The duration as text in as few units as possible: `1h30m`.
  package var text: String {
    var (text, rest) = ("", seconds)
    for unit in Self.units where rest >= unit.seconds {
      text += "\(rest / unit.seconds)\(unit.letter)"
      rest %= unit.seconds
    }
    return text.isEmpty ? "0s" : text
  }
}
