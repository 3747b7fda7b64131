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
    let numbers = tuple.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard (2...3).contains(numbers.count), let longitude = Self.number(numbers[0]),
      let latitude = Self.number(numbers[1])
    else { return isUnreadable = true }
    corners.append(latitude: latitude, longitude: longitude)
  }

  mutating func takeCorners() -> [Coordinate]? { corners.take() }

  /// `xsd:double` has what JSON has not, such as ".5" and "+5"; no place has its "INF" and "NaN".
  static func number(_ text: String) -> Double? { number(Array(text.utf8)[...]) }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard bytes.count <= JSONTokenizer.maximumNumber, bytes.allSatisfy({ JSONTokenizer.isOfNumber($0) }) else {
      return nil
    }
    return JSONNumber.parse(Array(bytes)) ?? Double(String(decoding: bytes, as: UTF8.self))
  }
}
