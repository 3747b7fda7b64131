/// Why a text is no XML as far as it is read here.
enum XMLError: Error, Hashable {
  /// The byte is that of the text.
  case notXML(at: Int)
  /// Elements stand deeper in each other than `XMLScanner.maximumDepth`.
  case tooDeep(at: Int)
  case documentType(at: Int)
  /// The text ends in its midst.
  case cutOff(at: Int)
}
