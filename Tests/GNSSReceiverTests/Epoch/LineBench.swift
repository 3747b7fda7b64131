import GNSSReceiver
import Geodesy
import WireFormats

/// A session that receives, in virtual time, the bytes that the test sends.
struct LineBench {
  private var session: ReceiverSession
  private(set) var now = Instant(nanoseconds: 1_000_000_000_000)
  private(set) var said: [ReceiverSession.Action] = []

  static let position = "4717.11399,N,00833.91590,E"

  init(_ change: (inout ReceiverSettings) -> Void = { _ in }) {
    session = ReceiverSession(SessionBench.settings(change))
    _ = session.handle(.opened(baud: nil), at: now)
  }

  /// Time passes, and the session is woken at its deadlines.
  mutating func wait(_ milliseconds: Int64) {
    let end = now + .milliseconds(milliseconds)
    while let deadline = session.nextDeadline, deadline <= end {
      now = max(now, deadline)
      said += session.handle(.wake, at: now)
      if let next = session.nextDeadline, next <= now { break }
    }
    now = end
  }

  /// Time passes, and the session is not woken: the process was stopped.
  mutating func stall(_ duration: Duration) { now = now + duration }

  mutating func receive(_ bytes: [UInt8]) { said += session.receive(bytes.span, at: now) }

  /// NMEA sentences without their checksums.
  mutating func receive(_ sentences: String...) {
    for sentence in sentences { receive(NMEASentence.encode(sentence)) }
  }

  /// Ends the recording.
  mutating func end() { said += session.handle(.ended, at: now) }

  mutating func forget() { said = [] }

  // MARK: - Recorded actions

  var epochs: [GNSSEpoch] { said.compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } } }
  var complete: [GNSSEpoch] { epochs.filter { $0.stage == .complete } }
  var prompt: [GNSSEpoch] { epochs.filter { $0.stage == .prompt } }
  var fixes: [PositionFix] { complete.compactMap(\.fix) }
  var polls: Int { said.count { if case .write = $0 { true } else { false } } }

  // MARK: - Messages

  /// `hhmmss` for a second of the day.
  static func clock(_ second: Int) -> String {
    [second / 3600 % 24, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
  }

  static func rmc(_ second: Int, date: String = "050626", mode: String = "A") -> String {
    "GPRMC,\(clock(second)).00,A,\(position),1.0,77,\(date),,,\(mode)"
  }

  static func gga(
    _ second: Int, quality: Int = 1, satellites: String = "08", dilution: String = "1.0"
  ) -> String {
    "GPGGA,\(clock(second)).00,\(position),\(quality),\(satellites),\(dilution),499.6,M,48.0,M,,"
  }

  /// UBX-NAV-PVT in 2026-06, on `day`.
  static func pvt(
    day: Int = 5, second: Int, nanoseconds: Int32 = 0, hasFix: Bool = true, accuracyMillimeters: UInt32 = 2000
  ) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 92)
    func set(_ offset: Int, _ value: UInt32) {
      for index in 0..<4 { payload[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    set(0, timeOfWeek(day: day, second: second))
    payload.replaceSubrange(4..<12, with: date(day: day, second: second) + [7])
    set(16, UInt32(bitPattern: nanoseconds))
    payload[20] = hasFix ? 3 : 0
    payload[21] = hasFix ? 1 : 0
    payload[23] = 9
    set(24, 85_000_000)
    set(28, 473_000_000 + UInt32(second))
    set(40, accuracyMillimeters)
    set(44, accuracyMillimeters)
    payload[76] = 150
    return UBXFrame.encode(class: 0x01, id: 0x07, payload: payload)
  }

  /// UBX-NAV-TIMEUTC.
  static func timeUTC(day: Int = 5, second: Int) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 20)
    let week = timeOfWeek(day: day, second: second)
    for index in 0..<4 { payload[index] = UInt8(truncatingIfNeeded: week >> UInt32(8 * index)) }
    payload.replaceSubrange(12..<20, with: date(day: day, second: second) + [7])
    return UBXFrame.encode(class: 0x01, id: 0x21, payload: payload)
  }

  /// In milliseconds; GPS time is 18 s ahead of UTC. 2026-06-05 is a Friday.
  private static func timeOfWeek(day: Int, second: Int) -> UInt32 { UInt32((day * 86_400 + second + 18) * 1000) }

  private static func date(day: Int, second: Int) -> [UInt8] {
    [0xEA, 0x07, 6, UInt8(day), UInt8(second / 3600 % 24), UInt8(second / 60 % 60), UInt8(second % 60)]
  }
}
