/// What a simulated u-blox knows of its satellites: read out in many messages, and worth something when all of them come
/// back.
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
        // Nothing but its number is told of a satellite that is not known.
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

  /// Whether this asks for them.
  func isPoll(_ command: CommandListener.Command) -> Bool {
    command.payload.isEmpty && messages.contains { $0.type == command.type }
  }

  /// What is told when `poll` asks for it.
  func answers(to poll: CommandListener.Command) -> [[UInt8]] {
    let asked = messages.filter { $0.type == poll.type }
    var frames = asked.map { message in
      var frame = UBXFrameBuilder(class: message.messageClass, id: message.id)
      frame.raw(message.payload)
      return frame.bytes
    }
    if isMGA {
      // UBX-MGA-ACK-DATA0: the end, and how many there were.
      var end = UBXFrameBuilder(class: 0x13, id: 0x60)
      end.raw([1, 0, 0, 0x80])
      end.integer(UInt32(asked.count))
      frames.append(end.bytes)
    }
    return frames
  }

  /// Takes back what it once told.
  mutating func take(_ command: CommandListener.Command) {
    if let index = messages.firstIndex(of: command) { given.insert(index) }
  }

  /// Whether all that says anything has come back.
  var isComplete: Bool {
    messages.indices.allSatisfy { given.contains($0) || messages[$0].payload.count <= 8 }
  }
}
