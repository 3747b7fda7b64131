import LocationDatabase
import PlacesCore

/// A row of the table `feature`.
struct FeatureRow: Sendable {
  let id: Int64
  let kind: PlacesFormat.FeatureKind
  let name: String
  let names: String?
  /// The tag that makes it a point of interest: "amenity=cafe"; of a region its abbreviation by ISO 3166-2: "US-NY".
  let detail: String?
  /// The town of a street, quarter or point of interest; the region of a town or of a region.
  let parent: Int64?
  let postcode: String?
  let point: LocalPoint
  /// Half its extent, meters.
  let radius: Int64

  static let columns = "id, kind, name, names, class, parent, postcode, x, y, radius"

  init(_ row: borrowing Statement) throws(DatabaseError) {
    id = try row.integer(0)
    guard let kind = PlacesFormat.FeatureKind(rawValue: try row.integer(1)) else {
      throw .value(expected: "a kind of feature", found: String(try row.integer(1)))
    }
    self.kind = kind
    name = try row.text(2)
    names = try row.optionalText(3)
    detail = try row.optionalText(4)
    parent = try row.optionalInteger(5)
    postcode = try row.optionalText(6)
    guard let point = LocalPoint(checkingX: Int(try row.integer(7)), y: Int(try row.integer(8))) else {
      throw .value(expected: "a position", found: "one outside the globe")
    }
    self.point = point
    radius = min(max(try row.integer(9), 0), 20_000_000)
  }

  /// The name in the first of these languages that it has; otherwise the local one, whose language is unknown: a missing `name:de`
  /// means the name itself.
  func name(in languages: [String]) -> String {
    guard let names, !languages.isEmpty else { return name }
    for language in languages {
      let tag = language.lowercased()
      let primary = tag.split(separator: "-").first.map(String.init) ?? tag
      for wanted in tag == primary ? [tag] : [tag, primary] {
        for part in names.split(separator: PlacesFormat.nameSeparator) where part.hasPrefix(wanted + "=") {
          return String(part.dropFirst(wanted.count + 1))
        }
      }
    }
    return name
  }

  /// All names, each once.
  var allNames: [String] {
    var all = [name]
    for part in names?.split(separator: PlacesFormat.nameSeparator) ?? [] {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let other = String(part[part.index(after: equals)...])
      if !all.contains(other) { all.append(other) }
    }
    return all
  }
}
