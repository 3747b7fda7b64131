import ArgumentParser

/// `--purpose`: what a person who is asked reads.
struct PurposeOption: ParsableArguments {
  /// What the service keeps of it, bytes.
  private static let longest = 200

  @Option(
    help: ArgumentHelp(
      "A reason, shown to the person who is asked to grant access.", valueName: "text"),
    transform: { try PurposeOption.parse($0) })
  var purpose: String?

  var text: String? { purpose }

  private static func parse(_ text: String) throws -> String {
    guard text.utf8.count <= longest, text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("Give a purpose of 1 to \(longest) bytes.")
    }
    return text
  }
}
