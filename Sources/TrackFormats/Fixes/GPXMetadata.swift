import Geodesy

/// The `metadata` of a GPX document: name, time and extent.
extension GPXFormat {
  /// The length of the longest `bounds`, bytes.
  private static let longestBounds = bounds("-90.000000000", "-180.000000000", "-90.000000000", "-180.000000000").utf8
    .count

  /// The element, which follows the start of a document; empty if `name` and `created` are unknown and no room is left.
  ///
  /// - Parameters:
  ///   - created: when the document is made.
  ///   - leavesRoom: whether to leave a line of spaces for `bounds`, because the extent is only known at the end.
  /// - Returns: the bytes, and the position in them of the room for `bounds`, if any.
  static func metadata(name: String?, created: GNSSTime?, leavesRoom: Bool) -> (bytes: [UInt8], room: Int?) {
    var text = ""
    if let name { text += "    <name>\(XMLText.escaped(name))</name>\n" }
    if let time = created.flatMap({ Timestamp($0)?.iso8601 }) { text += "    <time>\(time)</time>\n" }
    guard !text.isEmpty || leavesRoom else { return ([], nil) }
    text = "  <metadata>\n" + text
    var room: Int?
    if leavesRoom {
      text += "    "
      room = text.utf8.count
      text += String(repeating: " ", count: longestBounds) + "\n"
    }
    return (Array((text + "  </metadata>\n").utf8), room)
  }

  /// The element `bounds`, as long as the room, with as many decimals as the points. `nil` for an extent that crosses the meridian of
  /// 180° or ends on it in the east, which `bounds` cannot express.
  static func bounds(_ extent: TrackSummary.Extent) -> [UInt8]? {
    func text(_ angle: Angle) -> String? { FixedDecimal(angle.degrees, decimals: 9, minimum: 7)?.text }
    // A longitude that is rounded to 180° is not valid.
    guard extent.east.degrees < 180 - 1e-9, let south = text(extent.south), let west = text(extent.west),
      let north = text(extent.north), let east = text(extent.east)
    else { return nil }
    let element = bounds(south, west, north, east)
    // As a deeper indentation: no line ends with spaces.
    return Array((String(repeating: " ", count: max(0, longestBounds - element.utf8.count)) + element).utf8)
  }

  private static func bounds(_ south: String, _ west: String, _ north: String, _ east: String) -> String {
    "<bounds minlat=\"\(south)\" minlon=\"\(west)\" maxlat=\"\(north)\" maxlon=\"\(east)\"/>"
  }
}
