import Foundation
import Geodesy
import LocationReplay

/// A receiver's recorded day trip: a quarter of an hour at home, a trip of three kilometers due north in 200 s, and forty minutes
/// at the lake. Sentences of an NMEA receiver, with one epoch per second.
struct RecordedOuting {
  static let home = (latitude: 46.95, longitude: 7.45)
  static let lake = (latitude: 46.977, longitude: 7.45)
  private static let (atHome, onTheWay, atTheLake) = (900, 200, 2400)

  private var records: [CaptureRecord]
  /// The time of an epoch shortly before its last one.
  let end: GNSSTime

  init() {
    let start = GNSSTime(nanosecondsSince1970: Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000_000)
    records = [
      CaptureRecord(arrival: .zero, source: 0, event: .start(start)),
      CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: "/dev/ttyACM0"))),
    ]
    let epochs = Self.atHome + Self.onTheWay + Self.atTheLake
    end = start + .seconds(epochs - 5)
    for second in 0..<epochs {
      let share = min(1, max(0, Double(second - Self.atHome) / Double(Self.onTheWay)))
      let isMoving = share > 0 && share < 1
      let latitude = Self.home.latitude + share * (Self.lake.latitude - Self.home.latitude)
      let time = Date(timeIntervalSince1970: Double(start.nanosecondsSince1970) / 1e9 + Double(second))
      let bytes = Self.epoch(latitude, Self.home.longitude, speedKnots: isMoving ? 29.2 : 0, at: time)
      records.append(CaptureRecord(arrival: .seconds(second), source: 1, event: .bytes(bytes)))
    }
  }

  func write(to file: URL) throws {
    var writer = CaptureWriter()
    try Data(records.flatMap { writer.encode($0) }).write(to: file)
  }

  /// GGA, GSA and RMC (NMEA 0183 4.11) of a good fix.
  private static func epoch(_ latitude: Double, _ longitude: Double, speedKnots: Double, at time: Date) -> [UInt8] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    let clock = String(format: "%02d%02d%02d.00", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    let date = String(format: "%02d%02d%02d", parts.day ?? 1, parts.month ?? 1, (parts.year ?? 2000) % 100)
    let place = "\(angle(latitude, 2)),N,\(angle(longitude, 3)),E"
    let speed = String(format: "%.2f", speedKnots)
    return sentence("GPGGA,\(clock),\(place),1,10,0.9,550.0,M,48.0,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,09,10,,,1.6,0.9,1.3")
      + sentence("GPRMC,\(clock),A,\(place),\(speed),0.00,\(date),,,A")
  }

  /// Degrees with this many digits, and minutes.
  private static func angle(_ degrees: Double, _ digits: Int) -> String {
    let whole = degrees.rounded(.down)
    return String(format: "%0\(digits)d%08.5f", Int(whole), (degrees - whole) * 60)
  }

  private static func sentence(_ text: String) -> [UInt8] {
    let sum = text.utf8.reduce(0) { $0 ^ $1 }
    return Array("$\(text)*\(String(format: "%02X", sum))\r\n".utf8)
  }
}
