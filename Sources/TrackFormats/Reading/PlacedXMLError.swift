/// An error of a reader, with the place in the file where its XML is wrong.
protocol PlacedXMLError: Error {
  static func notXML(_ place: TextPosition) -> Self
  static func tooDeep(most: Int, _ place: TextPosition) -> Self
  static func documentType(_ place: TextPosition) -> Self
  static func cutOff(_ place: TextPosition) -> Self
}

extension RegionImportError: PlacedXMLError {}
extension TrackImportError: PlacedXMLError {}

extension XMLScanner {
  /// The next token; an error has the place in the file.
  mutating func next<Failure: PlacedXMLError>(orThrow: Failure.Type) throws(Failure) -> Token? {
    do throws(XMLError) {
      return try next()
    } catch {
      switch error {
      case .notXML(let offset): throw .notXML(place(offset))
      case .tooDeep(let offset): throw .tooDeep(most: Self.maximumDepth, place(offset))
      case .documentType(let offset): throw .documentType(place(offset))
      case .cutOff(let offset): throw .cutOff(place(offset))
      }
    }
  }

  /// The encoding of the file, if it is neither UTF-8 nor ASCII, which is a subset of UTF-8.
  var foreignEncoding: String? {
    encoding.flatMap { ["utf-8", "utf8", "us-ascii", "ascii"].contains($0.lowercased()) ? nil : $0 }
  }
}
