import Geodesy
import WireFormats

/// Reads places from lines: CSV (RFC 4180) whose header has a latitude and a longitude, or lines of `LAT,LON[,NAME]`, in which any
/// notation may stand in place of `LAT,LON`. Empty lines, and lines that begin with `#`, are skipped.
enum PlaceLines {
  /// The most columns of a line.
  private static let mostColumns = 1000
  private static let latitudes: Set<String> = ["lat", "latitude"]
  private static let longitudes: Set<String> = ["lon", "lng", "long", "longitude"]
  /// The columns that may contain a name, the best first.
  private static let names = ["name", "title", "label", "id"]

  /// The columns of a CSV file.
  private struct Header {
    let latitude: Int
    let longitude: Int
    let name: Int?

    /// `nil`: the line is not a header. Throws `.header` if it has only one of latitude and longitude.
    init?(_ fields: [String]) throws(PlaceListError) {
      let fields = fields.map { $0.lowercased() }
      let latitude = fields.firstIndex(where: latitudes.contains)
      let longitude = fields.firstIndex(where: longitudes.contains)
      guard latitude != nil || longitude != nil else { return nil }
      guard let latitude, let longitude else { throw .header }
      (self.latitude, self.longitude) = (latitude, longitude)
      name = names.lazy.compactMap { fields.firstIndex(of: $0) }.first
    }
  }

  static func read(_ bytes: ArraySlice<UInt8>) throws(PlaceListError) -> [NamedPlace] {
    var places: [NamedPlace] = []
    var header: Header?
    var isFirst = true
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.allSatisfy(CSVFields.isBlank), line.first != UInt8(ascii: "#") else { continue }
      let fields = fields(line)
      if isFirst {
        isFirst = false
        header = try Header(fields)
        if header != nil { continue }
      }
      guard let place = header.map({ record(fields, $0) }) ?? plain(fields, line) else { throw .line(index + 1) }
      places.append(place)
      guard places.count <= PlaceList.maximum else { throw .tooMany(most: PlaceList.maximum) }
    }
    return places
  }

  /// The fields of a line; none if the line is not CSV, because it has too many columns or an odd number of quotation
  /// marks. A quotation mark may be the sign of seconds.
  private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
    let fields = (try? CSVFields.split(line, atMost: mostColumns)) ?? []
    return fields.map { String(decoding: $0, as: UTF8.self).substituting("\"\"", with: "\"") }
  }

  private static func record(_ fields: [String], _ header: Header) -> NamedPlace? {
    guard fields.indices.contains(header.latitude), fields.indices.contains(header.longitude),
      let coordinate = Coordinate(parsing: "\(fields[header.latitude]),\(fields[header.longitude])")
    else { return nil }
    let name = header.name.flatMap { fields.indices.contains($0) ? fields[$0] : nil }
    return NamedPlace(name: name, coordinate: coordinate)
  }

  /// The place of a line without a header: a position in one field or in two, and perhaps a name after it.
  private static func plain(_ fields: [String], _ line: ArraySlice<UInt8>) -> NamedPlace? {
    let text = String(decoding: line, as: UTF8.self)
    if let coordinate = Coordinate(parsing: text) { return NamedPlace(name: nil, coordinate: coordinate) }
    let parts =
      fields.isEmpty ? text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } : fields
    for count in [2, 1] where parts.count > count {
      guard let coordinate = Coordinate(parsing: parts[..<count].joined(separator: ",")) else { continue }
      let name = parts[count...].joined(separator: ",")
      return NamedPlace(name: String(name.drop { $0 == " " }), coordinate: coordinate)
    }
    return nil
  }
}
