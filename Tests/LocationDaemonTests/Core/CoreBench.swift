import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService

/// A service core, and shorthands for its transcripts: times are seconds from the start.
struct CoreBench {
  var core: ServiceCore

  static let start = Instant(nanoseconds: 1_000_000_000_000)
  /// The wall clock at the start: 2026-08-01T12:00:00 UTC.
  static let wallClock = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)

  init(
    memory: ServiceMemory = ServiceMemory(), wallClock: GNSSTime? = CoreBench.wallClock, hasInventory: Bool = true
  ) {
    core = ServiceCore(
      ServiceCore.Settings(
        eraFloor: CalendarDate(year: 2026, month: 1, day: 1), wallClock: wallClock, startedAt: Self.start,
        memory: memory))
    if hasInventory { _ = send(.inventoryComplete, at: 0) }
  }

  /// The core's actions for an input, without the progress events for clients.
  mutating func send(_ input: ServiceCore.Input, at seconds: Double) -> [ServiceCore.Action] {
    reported(core.handle(input, at: Self.at(seconds)))
  }

  /// The core's actions, including progress.
  mutating func reportAll(_ input: ServiceCore.Input, at seconds: Double) -> [ServiceCore.Action] {
    core.handle(input, at: Self.at(seconds))
  }

  /// One second of a receiver's sentences, which arrive at `seconds`; the silence after them completes the epoch.
  mutating func receive(_ burst: [UInt8], on link: LinkID, at seconds: Double) -> [ServiceCore.Action] {
    var actions = core.receive(burst.span, on: link, at: Self.at(seconds))
    actions += core.handle(.wake, at: Self.at(seconds + 0.2))
    return reported(actions)
  }

  static func at(_ seconds: Double) -> Instant { start + .microseconds(Int64((seconds * 1e6).rounded())) }

  private func reported(_ actions: [ServiceCore.Action]) -> [ServiceCore.Action] {
    actions.filter {
      if case .send(_, .progress) = $0 { false } else { true }
    }
  }

  // MARK: - Inputs and requests

  static let client = ClientID.process(1)
  static let first = LinkID(0)
  static let second = LinkID(1)

  static func receiver(_ id: String, path: String = "/dev/ttyACM0", kind: DeviceKind = .receiver) -> DetectedDevice {
    DetectedDevice(id: id, path: path, kind: kind)
  }

  static func locate(_ number: UInt32 = 1, _ change: (inout OneShotOptions) -> Void = { _ in }) -> ServiceCore.Input {
    var options = OneShotOptions()
    change(&options)
    return .request(client, .locate(RequestID(number), options))
  }

  static func watch(_ number: UInt32 = 1, waits: Bool = false) -> ServiceCore.Input {
    .request(client, .startUpdates(RequestID(number), UpdateOptions(waitsForSource: waits)))
  }

  static func cancel(_ number: UInt32 = 1) -> ServiceCore.Input { .request(client, .cancel(RequestID(number))) }

  /// 12:MM:SS of that day at a position whose latitude distinguishes receivers; `hdop` determines the radius.
  static func burst(_ second: Int, latitude: String = "4717.0000", hdop: String = "1.0") -> [UInt8] {
    let time = "12" + twoDigits(second / 60 % 60) + twoDigits(second % 60) + ".00"
    return sentence("GNRMC,\(time),A,\(latitude),N,00833.0000,E,0.0,,010826,,,A,V")
      + sentence("GNGGA,\(time),\(latitude),N,00833.0000,E,1,08,\(hdop),10.0,M,47.0,M,,")
  }

  /// The same without a fix.
  static func searching(_ second: Int) -> [UInt8] {
    let time = "12" + twoDigits(second / 60 % 60) + twoDigits(second % 60) + ".00"
    return sentence("GNRMC,\(time),V,,,,,,,010826,,,N,V") + sentence("GNGGA,\(time),,,,,0,00,99.99,,,,,,")
      + sentence("GPGSV,1,1,00,0")
  }

  static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension [ServiceCore.Action] {
  /// The events that clients receive.
  var events: [ServiceEvent] {
    compactMap { if case .send(_, let event) = $0 { event } else { nil } }
  }
  var updates: [PositionFix] {
    events.compactMap { if case .update(_, let fix, _) = $0 { fix } else { nil } }
  }
  var located: PositionFix? {
    events.compactMap { if case .located(_, let fix, _, _) = $0 { fix } else { nil } }.first
  }
  var failure: LocationFailure? {
    events.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }.first
  }
  /// The actions without those that only matter for the next run.
  var deeds: [ServiceCore.Action] { filter { $0 != .remember } }
}
