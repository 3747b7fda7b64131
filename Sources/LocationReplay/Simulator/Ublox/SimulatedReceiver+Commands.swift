import Geodesy

/// The answers of a simulated u-blox to commands.
extension SimulatedReceiver {
  /// Whether the receiver supports UBX at all.
  var isUblox: Bool {
    switch configuration.dialect {
    case .nmea23, .nmea411: false
    case .ublox6, .ublox7, .ublox8, .ublox9, .mixed: true
    }
  }

  /// The messages that answer `command`; none if the receiver does not support it.
  func answers(to command: CommandListener.Command, _ power: inout Power, at now: Instant) -> [[UInt8]] {
    let identity = UBXIdentity(
      dialect: configuration.dialect, announcesSimulation: configuration.announcesSimulation,
      takesCorrections: configuration.takesCorrections)
    let epoch = power.model.epoch(max(0, power.nextEpoch - 1))
    switch (command.messageClass, command.id) {
    case (0x0A, 0x04) where command.payload.isEmpty: return [identity.monVer]
    case (0x27, 0x03) where command.payload.isEmpty: return identity.uniqueID(configuration.uniqueID).map { [$0] } ?? []
    case (0x01, _) where command.payload.isEmpty:
      return EpochOutput(configuration: configuration).message(command.id, of: epoch).map { [$0] } ?? []
    case (0x02, 0x41) where command.payload.count == 8 || command.payload.count == 16:
      // UBX-RXM-PMREQ: the duration in milliseconds, 0 for unlimited.
      let offset = command.payload.count == 8 ? 0 : 4
      let milliseconds = command.payload[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int64($1) }
      power.sleepEnd = milliseconds == 0 ? Instant(nanoseconds: .max) : now + .milliseconds(milliseconds)
      return []
    case (0x06, _): return settingAnswers(to: command, &power, at: now)
    case (0x0B, _), (0x13, _):
      // Satellite data can be read out only while there is a fix, because it is the data that the fix uses.
      if power.assistance.orbits.isPoll(command) {
        return epoch.solution == .none ? [] : power.assistance.orbits.answers(to: command)
      }
      assist(&power, with: command, at: now)
      return []
    default: return []
    }
  }

  /// Wakes the receiver at the end of its sleep, or on any byte on its line: its settings return to their defaults, and
  /// it keeps its time and its satellite data.
  func wake(_ power: inout Power, at now: Instant, byLine: Bool) {
    guard let end = power.sleepEnd, byLine || now >= end else { return }
    power.sleepEnd = nil
    power.memory = UbloxMemory(configuration)
  }

  private func refusesSettings(after time: Duration) -> Bool {
    configuration.faults.contains {
      if case .refusedSettingsAfter(let start) = $0 { time >= start } else { $0 == .refusedSettings }
    }
  }

  private func settingAnswers(
    to command: CommandListener.Command, _ power: inout Power, at now: Instant
  ) -> [[UInt8]] {
    let isQuestion = command.id == 0x8B || command.payload.count <= (command.id == 0x01 ? 2 : 0)
    if !isQuestion, refusesSettings(after: now - power.since) { return [acknowledgement(of: command, false)] }
    switch power.memory.receive(command) {
    case .accepted(let answer): return (answer.map { [$0] } ?? []) + [acknowledgement(of: command, true)]
    case .refused: return [acknowledgement(of: command, false)]
    }
  }

  /// UBX-ACK-ACK (0x05 0x01) or UBX-ACK-NAK (0x05 0x00).
  private func acknowledgement(of command: CommandListener.Command, _ isAccepted: Bool) -> [UInt8] {
    var message = UBXFrameBuilder(class: 0x05, id: isAccepted ? 1 : 0)
    message.raw([command.messageClass, command.id])
    return message.bytes
  }

  private func assist(_ power: inout Power, with command: CommandListener.Command, at now: Instant) {
    let elapsed = now - power.since
    guard !power.assistance.isComplete else { return }
    let truth = truth(at: configuration.startTime + elapsed)
    power.assistance.receive(command, utc: configuration.startTime + elapsed, place: truth.position.coordinate)
    guard power.assistance.isComplete else { return }
    var configuration = configuration
    let fix = elapsed + UbloxAssistance.hotStart
    configuration.coldStart = ColdStart(
      timeOfDay: min(elapsed, configuration.coldStart.timeOfDay), date: min(elapsed, configuration.coldStart.date),
      satellitesInView: min(elapsed, configuration.coldStart.satellitesInView),
      fix2D: min(fix, configuration.coldStart.fix2D), fix3D: min(fix, configuration.coldStart.fix3D))
    power.model = EpochModel(configuration)
  }

  /// Sends an answer at once, late, or not at all.
  func send(_ answer: [UInt8], to command: CommandListener.Command, _ power: inout Power, at now: Instant) {
    guard command.messageClass == 0x06 else { return power.queue.append(answer, at: now) }
    power.answers += 1
    for fault in configuration.faults {
      switch fault {
      case .forgottenAcknowledgements(let every) where every > 0 && power.answers.isMultiple(of: every): return
      case .deafenedAfter(let answers, let end) where power.answers > answers && now - power.since < end: return
      case .lateAcknowledgements(let delay): return power.late.append((now + delay, answer))
      case .erraticAcknowledgements(let longest, let lost, let seed):
        let chance = SeededNoise(seed: seed).bits(epoch: power.answers, .garbage, index: 20_000)
        if lost > 0, chance % UInt64(lost) == 0 { return }
        // Answers keep their order.
        let at = now + longest / 1000 * Int(chance >> 32 % 1000)
        return power.late.append((max(at, power.late.last?.at ?? at), answer))
      default: break
      }
    }
    power.queue.append(answer, at: now)
  }
}

/// Finds the UBX frames in the bytes that the driver writes. Written for the simulator alone, so that it does not share a mistake
/// with the decoder under test.
struct CommandListener: Sendable {
  /// A frame with a correct checksum.
  struct Command: Hashable, Sendable {
    var messageClass: UInt8
    var id: UInt8
    var payload: [UInt8]

    /// Class and identifier in one number.
    var type: UInt16 { UInt16(messageClass) << 8 | UInt16(id) }
  }

  private static let longest = 1024
  private var waiting: [UInt8] = []

  /// The commands that end in `bytes`, in order.
  mutating func receive(_ bytes: [UInt8]) -> [Command] {
    waiting += bytes
    var commands: [Command] = []
    while let start = waiting.firstIndex(of: 0xB5) {
      waiting.removeFirst(start)
      guard waiting.count >= 6 else { return commands }
      let length = Int(waiting[4]) | Int(waiting[5]) << 8
      guard waiting[1] == 0x62, length <= Self.longest else {
        waiting.removeFirst()
        continue
      }
      guard waiting.count >= length + 8 else { return commands }
      var (a, b): (UInt8, UInt8) = (0, 0)
      for byte in waiting[2..<6 + length] {
        a &+= byte
        b &+= a
      }
      guard waiting[6 + length] == a, waiting[7 + length] == b else {
        waiting.removeFirst()
        continue
      }
      commands.append(Command(messageClass: waiting[2], id: waiting[3], payload: Array(waiting[6..<6 + length])))
      waiting.removeFirst(length + 8)
    }
    waiting.removeAll()
    return commands
  }
}
