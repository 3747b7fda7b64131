import Geodesy

/// Goes through the text of KML's `coordinates` (OGC 07-147r2, section 16.12) as its pieces come: tuples
/// "longitude,latitude[,height]" with blanks between them.
struct KMLCoordinates: Sendable {
  private(set) var corners = CornerList()
  private(set) var isUnreadable = false
  private var tuple: [UInt8] = []
  private static let longestTuple = 3 * JSONTokenizer.maximumNumber

  mutating func append(_ text: String) {
    for byte in text.utf8 {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        endTuple()
      } else if tuple.count < Self.longestTuple {
        tuple.append(byte)
      } else {
        isUnreadable = true
      }
    }
  }

  mutating func endTuple() {
    guard !tuple.isEmpty else { return }
    defer { tuple.removeAll(keepingCapacity: true) }
    let comma = UInt8(ascii: ",")
    guard let first = tuple.firstIndex(of: comma) else { return isUnreadable = true }
    let second = tuple[(first + 1)...].firstIndex(of: comma) ?? tuple.count
    guard second == tuple.count || !tuple[(second + 1)...].contains(comma),
      let longitude = Self.number(tuple, in: 0..<first), let latitude = Self.number(tuple, in: (first + 1)..<second)
    else { return isUnreadable = true }
    corners.append(latitude: latitude, longitude: longitude)
  }

  mutating func takeCorners() -> [Coordinate]? { corners.take() }

  static func number(_ text: String) -> Double? { number(Array(text.utf8), in: 0..<text.utf8.count) }

  /// `xsd:double` has what JSON has not, such as ".5" and "+5"; no place has its "INF" and "NaN".
  private static func number(_ bytes: [UInt8], in part: Range<Int>) -> Double? {
    guard part.count <= JSONTokenizer.maximumNumber else { return nil }
    if let number = JSONNumber.parse(bytes, in: part) { return number }
    guard bytes[part].allSatisfy({ JSONTokenizer.isOfNumber($0) }) else { return nil }
    return Double(String(decoding: bytes[part], as: UTF8.self))
  }
}
