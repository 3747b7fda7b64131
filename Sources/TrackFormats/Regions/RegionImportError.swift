/// Why a file has no regions that can be read, or not only such.
package enum RegionImportError: Error, Hashable, Sendable {
  /// Neither JSON nor XML begins so.
  case unknownFormat
  /// Packed, as a KMZ is: what is in it has to be taken out first.
  case packed(Packing)
  /// No JSON text as RFC 8259 has it: this had to come.
  case notJSON(JSONExpectation, TextPlace)
  /// Lists, objects or elements stand deeper in each other than so.
  case tooDeep(most: Int, TextPlace)
  /// The file ends in its midst.
  case cutOff(TextPlace)
  /// JSON, but no GeoJSON object: its `type`, where it has one.
  case notGeoJSON(type: String?, TextPlace)
  /// Its places are not in degrees of WGS 84, but in this system.
  case otherCoordinateSystem(String, TextPlace)
  /// No XML as far as it is needed here.
  case notXML(TextPlace)
  /// A document type may define what is not in the file: it is refused.
  case documentType(TextPlace)
  /// XML in another encoding than UTF-8.
  case otherEncoding(String, TextPlace)
  /// XML, but its root is this and not `kml`.
  case notKML(root: String, TextPlace)
  /// More regions than the caller can take.
  case tooMany(most: Int, line: Int)

  package enum Packing: Hashable, Sendable { case zip, gzip }
}
