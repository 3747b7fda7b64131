import Geodesy

/// What a simulated u-blox was told at its start: once it knows the time, the place and its satellites' orbits it need not
/// wait for any of them.
struct UbloxAssistance: Sendable {
  /// From the last of it to the fix: a hot start (u-blox integration manuals: about a second or two).
  static let hotStart: Duration = .seconds(2)
  /// What is further off than this helps nothing: seconds, and metres.
  static let worstTime = 60.0
  static let worstPlace = 300_000.0

  private(set) var orbits: UbloxOrbits
  private var knowsTime = false
  private var knowsPlace = false

  init(orbits: UbloxOrbits) { self.orbits = orbits }

  /// Whether nothing is missing any more.
  var isComplete: Bool { knowsTime && knowsPlace && orbits.isComplete }

  /// Takes a command of class MGA or AID; `truth`: where and when the receiver really is.
  mutating func take(_ command: CommandListener.Command, utc: GNSSTime, place: Coordinate) {
    let payload = command.payload
    switch (command.type, payload.count) {
    case (0x1340, 24) where payload[0] == 0x10:
      take(
        year: integer(payload, 4, 2), month: Int(payload[6]), day: Int(payload[7]), hour: Int(payload[8]),
        minute: Int(payload[9]), second: Int(payload[10]), utc)
    case (0x1340, 20) where payload[0] == 0x01:
      take(latitude: integer(payload, 4, 4), longitude: integer(payload, 8, 4), place)
    case (0x0B01, 48):
      let flags = integer(payload, 44, 4)
      if flags & 0x21 == 0x21 { take(latitude: integer(payload, 0, 4), longitude: integer(payload, 4, 4), place) }
      if flags & 0x402 == 0x402 {
        let (month, time) = (integer(payload, 18, 2), integer(payload, 20, 4))
        take(
          year: 2000 + month / 100, month: month % 100, day: time / 1_000_000, hour: time / 10_000 % 100,
          minute: time / 100 % 100, second: time % 100, utc)
      }
    // Without the time entries of the database are refused (UBX-MGA-ACK, infoCode 1).
    case (0x1380, _) where !knowsTime: break
    default: orbits.take(command)
    }
  }

  /// A signed number of some bytes, the lowest first.
  private func integer(_ payload: [UInt8], _ offset: Int, _ width: Int) -> Int {
    let bits = payload[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    return width == 4 ? Int(Int32(truncatingIfNeeded: bits)) : bits
  }

  private mutating func take(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, _ utc: GNSSTime
  ) {
    guard let date = CalendarDate(year: year, month: month, day: day) else { return }
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    let error = GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000) - utc
    knowsTime = abs(error.inSeconds) < Self.worstTime
  }

  private mutating func take(latitude: Int, longitude: Int, _ place: Coordinate) {
    guard let told = Coordinate(checkingLatitude: Double(latitude) * 1e-7, longitude: Double(longitude) * 1e-7) else {
      return
    }
    knowsPlace = Geodesic.inverse(from: told, to: place).distance.value < Self.worstPlace
  }
}
