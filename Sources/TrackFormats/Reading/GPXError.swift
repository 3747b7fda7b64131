/// Why a text is no GPX track that can be read.
package enum GPXError: Error, Hashable, Sendable {
  /// Not XML as far as it is needed here; the byte is that of the text.
  case notXML(at: Int)
  /// XML, but its root is not `gpx`.
  case notGPX
  /// A document type may define what is not in the file: it is refused.
  case documentType
  /// A track point without a place on Earth.
  case badPoint(at: Int)
  /// A time that is none.
  case badTime(at: Int)
}
