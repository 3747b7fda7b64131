import Geodesy

/// The assistance data that a simulated u-blox has received: once it has the time, the position and its satellites'
/// orbits, it does not need to wait for any of them.
struct UbloxAssistance: Sendable {
  /// The time from receiving the last part of the data to the fix: a hot start (u-blox integration manuals: about a
  /// second or two).
  static let hotStart: Duration = .seconds(2)
  /// Data with errors larger than these, in seconds and in meters, does not help.
  static let worstTime = 60.0
  static let worstPlace = 300_000.0

  private(set) var orbits: UbloxOrbits
  private var knowsTime = false
  private var knowsPlace = false

  init(orbits: UbloxOrbits) { self.orbits = orbits }

  /// Whether the data is complete.
  var isComplete: Bool { knowsTime && knowsPlace && orbits.isComplete }

  /// Receives a command of class MGA or AID; `utc` and `place`: the receiver's true time and position.
  mutating func receive(_ command: CommandListener.Command, utc: GNSSTime, place: Coordinate) {
    let payload = command.payload
    switch (command.type, payload.count) {
    case (0x1340, 24) where payload[0] == 0x10:
      receive(
        year: integer(payload, 4, 2), month: Int(payload[6]), day: Int(payload[7]), hour: Int(payload[8]),
        minute: Int(payload[9]), second: Int(payload[10]), utc)
    case (0x1340, 20) where payload[0] == 0x01:
      receive(latitude: integer(payload, 4, 4), longitude: integer(payload, 8, 4), place)
    case (0x0B01, 48):
      let flags = integer(payload, 44, 4)
      if flags & 0x21 == 0x21 { receive(latitude: integer(payload, 0, 4), longitude: integer(payload, 4, 4), place) }
      if flags & 0x402 == 0x402 {
        let (month, time) = (integer(payload, 18, 2), integer(payload, 20, 4))
        receive(
          year: 2000 + month / 100, month: month % 100, day: time / 1_000_000, hour: time / 10_000 % 100,
          minute: time / 100 % 100, second: time % 100, utc)
      }
    // Before the time is known, entries of the database are rejected (UBX-MGA-ACK, infoCode 1).
    case (0x1380, _) where !knowsTime: break
    default: orbits.receive(command)
    }
  }

  /// A little-endian number of `width` bytes, signed if it has four.
  private func integer(_ payload: [UInt8], _ offset: Int, _ width: Int) -> Int {
    let bits = payload[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    return width == 4 ? Int(Int32(truncatingIfNeeded: bits)) : bits
  }

  private mutating func receive(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, _ utc: GNSSTime
  ) {
    guard let date = CalendarDate(year: year, month: month, day: day) else { return }
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    let error = GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000) - utc
    knowsTime = abs(error.inSeconds) < Self.worstTime
  }

  private mutating func receive(latitude: Int, longitude: Int, _ place: Coordinate) {
    guard let reported = Coordinate(checkingLatitude: Double(latitude) * 1e-7, longitude: Double(longitude) * 1e-7)
    else {
      return
    }
    knowsPlace = Geodesic.inverse(from: reported, to: place).distance.value < Self.worstPlace
  }
}

/// The satellite data that a simulated u-blox has: it is read out in many messages, and only useful if all of them are restored.
struct UbloxOrbits: Sendable {
  private let messages: [CommandListener.Command]
  private let isMGA: Bool
  private var given: Set<Int> = []

  init(_ configuration: SimulatedReceiver.Configuration, _ noise: SeededNoise) {
    var messages: [CommandListener.Command] = []
    func bytes(_ count: Int, _ entry: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: noise.bits(epoch: entry, .garbage, index: 10_000 + $0)) }
    }
    switch configuration.dialect {
    case .nmea23, .nmea411: isMGA = true
    case .ublox6, .ublox7:
      isMGA = false
      messages.append(CommandListener.Command(messageClass: 0x0B, id: 0x02, payload: bytes(72, 0)))
      for satellite: UInt8 in 1...32 {
        // For a satellite without data only its number is sent.
        let isKnown = satellite % 3 != 0
        let number = [satellite, 0, 0, 0]
        messages.append(
          CommandListener.Command(
            messageClass: 0x0B, id: 0x31,
            payload: number + (isKnown ? [1, 0, 0, 0] + bytes(96, Int(satellite)) : [0, 0, 0, 0])))
        messages.append(
          CommandListener.Command(
            messageClass: 0x0B, id: 0x30,
            payload: number + (isKnown ? [9, 0, 0, 0] + bytes(32, 40 + Int(satellite)) : [0, 0, 0, 0])))
      }
    case .ublox8, .ublox9, .mixed:
      isMGA = true
      for entry in 0..<60 {
        messages.append(
          CommandListener.Command(
            messageClass: 0x13, id: 0x80, payload: [UInt8](repeating: 0, count: 12) + bytes(40 + entry, entry)))
      }
    }
    self.messages = messages
  }

  /// Whether the command requests the data.
  func isPoll(_ command: CommandListener.Command) -> Bool {
    command.payload.isEmpty && messages.contains { $0.type == command.type }
  }

  /// The answer to `poll`.
  func answers(to poll: CommandListener.Command) -> [[UInt8]] {
    let asked = messages.filter { $0.type == poll.type }
    var frames = asked.map { message in
      var frame = UBXFrameBuilder(class: message.messageClass, id: message.id)
      frame.raw(message.payload)
      return frame.bytes
    }
    if isMGA {
      // UBX-MGA-ACK-DATA0: the end, and the number of messages.
      var end = UBXFrameBuilder(class: 0x13, id: 0x60)
      end.raw([1, 0, 0, 0x80])
      end.integer(UInt32(asked.count))
      frames.append(end.bytes)
    }
    return frames
  }

  /// Receives a message that was read out earlier.
  mutating func receive(_ command: CommandListener.Command) {
    if let index = messages.firstIndex(of: command) { given.insert(index) }
  }

  /// Whether all messages that contain data were restored.
  var isComplete: Bool {
    messages.indices.allSatisfy { given.contains($0) || messages[$0].payload.count <= 8 }
  }
}
