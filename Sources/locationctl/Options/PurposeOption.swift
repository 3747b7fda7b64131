import ArgumentParser

/// `--purpose`: the text shown to the person who is asked for access.
struct PurposeOption: ParsableArguments {
  /// The longest purpose that the service keeps, bytes.
  private static let longest = 200

  @Option(
    help: ArgumentHelp(
      "The reason that is shown to the person who is asked to grant access.", valueName: "text"),
    transform: { try PurposeOption.parse($0) })
  var purpose: String?

  var text: String? { purpose }

  private static func parse(_ text: String) throws -> String {
    guard text.utf8.count <= longest, text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("A purpose has 1 to \(longest) bytes.")
    }
    return text
  }
}
