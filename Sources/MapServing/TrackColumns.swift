package import Geodesy
import TrackFormats

/// The fixes of a log for the page: one JSON array for each value, because an object for each fix would be four times as long.
/// `null` is an unknown value; `segments` has the index of the first fix of each segment.
package struct TrackColumns: Sendable {
  /// The most fixes of one answer; a day at 5 Hz has fewer.
  package static let most = 500_000

  private struct Column: Sendable {
    let name: String
    let decimals: Int
    var bytes: [UInt8] = []

    mutating func append(_ value: Double?) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      guard let number = value.flatMap({ FixedDecimal($0, decimals: decimals, minimum: 0) }) else {
        bytes += "null".utf8
        return
      }
      number.append(to: &bytes)
    }
  }

  /// Milliseconds since 1970.
  private var times: [UInt8] = []
  private var columns = [
    Column(name: "longitude", decimals: 6), Column(name: "latitude", decimals: 6),
    Column(name: "speed", decimals: 2), Column(name: "radius", decimals: 1), Column(name: "height", decimals: 1),
    Column(name: "suspect", decimals: 0),
  ]
  private var segments = Column(name: "segments", decimals: 0)
  private var begins = true
  package private(set) var count = 0
  /// Whether the log has more fixes than `most`.
  package private(set) var isCut = false

  package init() {}

  package mutating func append(_ entry: TrackEntry) {
    switch entry {
    case .interruption: begins = true
    case .fix(let fix):
      guard count < Self.most else {
        isCut = true
        return
      }
      if begins { segments.append(Double(count)) }
      begins = false
      count += 1
      if !times.isEmpty { times.append(UInt8(ascii: ",")) }
      times += String(fix.time.nanosecondsSince1970 / 1_000_000).utf8
      columns[0].append(fix.coordinate.longitude.degrees)
      columns[1].append(fix.coordinate.latitude.degrees)
      columns[2].append(fix.speedMetersPerSecond)
      columns[3].append(fix.knownHorizontalRadius68?.value)
      columns[4].append(LocatedFix(fix, age: nil).heights.aboveMeanSeaLevel)
      columns[5].append(fix.qualityFlag == nil ? 0 : 1)
    }
  }

  /// The object.
  package var json: [UInt8] {
    var bytes = Array("{\"time\":[".utf8) + times + [UInt8(ascii: "]")]
    for column in columns + [segments] {
      bytes += ",\"".utf8
      bytes += column.name.utf8
      bytes += "\":[".utf8
      bytes += column.bytes
      bytes.append(UInt8(ascii: "]"))
    }
    return bytes + ",\"cut\":\(isCut)}".utf8
  }
}
