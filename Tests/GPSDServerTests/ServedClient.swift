import GPSDServer
import Geodesy
import LocationIPC
import Testing

/// A session with a virtual clock, and its client, which reads everything unless told otherwise.
struct ServedClient {
  static let start = Instant(nanoseconds: 1_000_000_000_000)
  /// 2026-03-01T12:34:56Z.
  static let clock = GNSSTime(nanosecondsSince1970: 1_772_368_496_000_000_000)

  var session: GPSDSession
  var now = start
  var reads = true
  /// What the client has read and `lines` has not returned yet.
  var received: [UInt8] = []
  var actions: [GPSDSession.Action] = []

  init(
    access: GPSDAccess = .full, devices: [DeviceDescription] = [ServedEpoch.device],
    isOfThisMachine: Bool = true, limits: GPSDSession.Limits = GPSDSession.Limits(), greeted: Bool = true
  ) {
    session = GPSDSession(
      access: access, devices: Self.list(devices), isOfThisMachine: isOfThisMachine, limits: limits, at: Self.start)
    read()
    if greeted { _ = lines() }
  }

  static func list(_ devices: [DeviceDescription]) -> GPSDDeviceList {
    var list = GPSDDeviceList()
    list.update(devices, clock: clock)
    return list
  }

  var clock: GNSSTime { Self.clock + (now - Self.start) }

  @discardableResult
  mutating func handle(_ input: GPSDSession.Input) -> [GPSDSession.Action] {
    let actions = session.handle(input, at: now, clock: clock)
    self.actions += actions
    read()
    return actions
  }

  @discardableResult
  mutating func send(_ text: String) -> [GPSDSession.Action] { handle(.received(Array(text.utf8))) }

  /// Lets the time pass, and wakes the session at its deadlines.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let deadline = session.nextDeadline, deadline <= end {
      now = max(now, deadline)
      handle(.wake)
    }
    now = end
  }

  /// An epoch as the service delivers it now.
  mutating func sendEpoch(_ change: (inout GPSDEpoch) -> Void = { _ in }) {
    var epoch = ServedEpoch.epoch(at: now)
    change(&epoch)
    var encoder = GPSDEpochEncoder(access: session.access)
    let devices = Self.list([ServedEpoch.device])
    handle(.epoch(encoder.text(epoch, session.forms, devices: devices, at: now)))
  }

  private mutating func read() {
    while reads, !session.unsent.isEmpty {
      let part = session.unsent
      received += part
      actions += session.handle(.sent(part.count), at: now, clock: clock)
    }
  }

  /// Reads this number of bytes, or all that wait.
  mutating func readBytes(_ count: Int) {
    let part = session.unsent.prefix(count)
    received += part
    _ = session.handle(.sent(part.count), at: now, clock: clock)
  }

  /// The lines since the last call; each must be whole.
  mutating func lines(sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    let text = String(decoding: received, as: UTF8.self)
    received = []
    guard !text.isEmpty else { return [] }
    #expect(text.hasSuffix("\r\n"), sourceLocation: sourceLocation)
    return text.split(separator: "\r\n").map { String($0) }
  }

  /// The classes of the lines since the last call.
  mutating func classes(sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    lines(sourceLocation: sourceLocation).map(Self.className)
  }

  static func className(_ line: String) -> String {
    String(line.dropFirst(#"{"class":""#.count).prefix { $0 != "\"" })
  }
}

/// One epoch with all values, and the receiver that it comes from.
enum ServedEpoch {
  static let path = "/dev/ttyACM0"

  static var device: DeviceDescription {
    var device = DeviceDescription(
      id: "usb-1546-01a9-12345678", path: path, kind: .receiver, state: .fixing)
    device.protocolName = "ubx"
    device.firmware = "SPG 4.04"
    device.baud = 115_200
    return device
  }

  static func fix(at now: Instant) -> PositionFix {
    var fix = PositionFix(
      time: ServedClient.clock + (now - ServedClient.start), timeValidity: .confirmed, receivedAt: now,
      coordinate: Coordinate(latitude: Angle(degrees: 48.125011667), longitude: Angle(degrees: -11.575011667)),
      horizontalRadius68: Meters(1.5), kind: .threeDimensional, technologies: .gnss)
    fix.heightAboveEllipsoid = Meters(592.31)
    fix.heightAboveMeanSeaLevel = Meters(545.41)
    fix.verticalRadius68 = Meters(2)
    fix.speedMetersPerSecond = 12.5
    fix.speedRadius68MetersPerSecond = 0.1
    fix.course = Angle(degrees: 84.4)
    fix.courseRadius68 = Angle(degrees: 0.5)
    fix.satellitesUsed = 12
    fix.hdop = 0.75
    fix.device = path
    return fix
  }

  static func sky(satellites count: Int = 14) -> SkyReport {
    var sky = SkyReport(device: path)
    sky.time = ServedClient.clock
    sky.timeValidity = .confirmed
    sky.fix = .threeDimensional
    (sky.hdop, sky.vdop, sky.pdop) = (0.75, 1.12, 1.35)
    sky.satellitesUsed = min(12, count)
    let systems: [SatelliteConstellation] = [.gps, .glonass, .galileo, .beidou]
    sky.satellites = (0..<count).map { index in
      var satellite = SatelliteReport(systems[index % 4], 1 + index / 4)
      (satellite.elevationDegrees, satellite.azimuthDegrees) = (10 + index % 80, index * 37 % 360)
      satellite.signalDecibelHertz = 20 + index % 30
      (satellite.isUsed, satellite.isHealthy) = (index < 12, true)
      return satellite
    }
    return sky
  }

  static func epoch(at now: Instant) -> GPSDEpoch { GPSDEpoch(fix: fix(at: now), sky: sky(), deliveredAt: now) }

  /// The lines of an epoch, encoded `later` than it was delivered.
  static func lines(
    access: GPSDAccess = .full, later: Duration = .zero, _ change: (inout GPSDEpoch) -> Void = { _ in }
  ) -> [String] {
    var epoch = epoch(at: ServedClient.start)
    change(&epoch)
    var encoder = GPSDEpochEncoder(access: access)
    let text = encoder.text(
      epoch, .json, devices: ServedClient.list([device]), at: ServedClient.start + later)
    return String(decoding: text.json, as: UTF8.self).split(separator: "\r\n").map { String($0) }
  }

  static func tpv(
    access: GPSDAccess = .full, later: Duration = .zero, _ change: (inout GPSDEpoch) -> Void = { _ in }
  ) -> String { lines(access: access, later: later, change).last ?? "" }
}

extension String {
  /// The value of a key that occurs once, as written; `nil`: there is no such key.
  func value(_ key: String) -> String? {
    guard let range = firstRange(of: "\"\(key)\":") else { return nil }
    return String(self[range.upperBound...].prefix { $0 != "," && $0 != "}" && $0 != "]" })
  }

  func number(_ key: String) -> Double { value(key).flatMap { Double($0) } ?? .nan }
}
