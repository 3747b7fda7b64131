package import Geodesy

/// A receiver without a sky, for tests and `--source simulator`: says what a real one of its dialect would say, when it
/// would say it, and answers the polls that its dialect knows.
package struct SimulatedReceiver: Sendable {
  /// What happens to it.
  package enum Input: Hashable, Sendable {
    /// It gets power: time zero of its trajectory, cold start and faults.
    case powered
    /// Bytes that the driver wrote.
    case received([UInt8])
    /// It loses power and forgets all.
    case unplugged
    /// The deadline came; early is a no-op.
    case wake
  }

  /// What it wants done.
  package enum Action: Hashable, Sendable {
    /// These bytes reach the driver now.
    case send([UInt8])
  }

  /// What it was made of.
  package let configuration: Configuration
  let model: EpochModel
  private var state = State.off

  private enum State: Sendable {
    case off
    case on(Power)
  }

  /// What lasts from power-on to unplugging.
  struct Power: Sendable {
    let since: Instant
    /// The epoch that is to be said next.
    var nextEpoch = 0
    /// Sentences and messages said so far, for the faults that count them.
    var messagesSaid = 0
    var queue: TransmitQueue
    var listener = CommandListener()
    var memory: UbloxMemory
    var assistance: UbloxAssistance
    /// What it knows how long after power-on; assistance makes that shorter.
    var model: EpochModel
    /// It sleeps until then, and says and hears nothing but what wakes it.
    var sleepEnd: Instant?
    /// What is said later than it should be.
    var late: [(at: Instant, bytes: [UInt8])] = []
    /// Commands answered so far, for the faults that count them.
    var answers = 0
  }

  /// A receiver without power.
  package init(_ configuration: Configuration) {
    self.configuration = configuration
    self.model = EpochModel(configuration)
  }

  /// When it wants to be called next; `nil` without power.
  package var nextDeadline: Instant? {
    switch state {
    case .off: return nil
    case .on(let power):
      let epoch = burst(of: power.nextEpoch, power)
      return ([epoch, power.queue.nextDeadline].compactMap { $0 } + power.late.map(\.at)).min()
    }
  }

  /// Takes what happened at `now`, gives what is to be done.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.off, .powered), (.on, .powered):
      var power = Power(
        since: now, queue: TransmitQueue(pacing: configuration.pacing, baud: configuration.baud),
        memory: UbloxMemory(configuration),
        assistance: UbloxAssistance(
          orbits: UbloxOrbits(configuration, SeededNoise(seed: configuration.noise.seed))), model: model)
      let actions = run(&power, at: now)
      state = .on(power)
      return actions
    case (.on, .unplugged):
      state = .off
      return []
    case (.on(var power), .wake):
      let actions = run(&power, at: now)
      state = .on(power)
      return actions
    case (.on(var power), .received(let bytes)):
      // What is due is said before what is asked.
      wake(&power, at: now, byLine: true)
      let actions = run(&power, at: now)
      for command in power.listener.hear(bytes) {
        guard isUblox, !model.isStalled(after: now - power.since) else { continue }
        for answer in answers(to: command, &power, at: now) { say(answer, to: command, &power, at: now) }
      }
      let answers = transmit(&power, at: now)
      state = .on(power)
      return actions + answers
    case (.off, .unplugged), (.off, .wake), (.off, .received):
      return []
    }
  }

  /// What it is set to; `nil` without power.
  package var memory: UbloxMemory? { if case .on(let power) = state { power.memory } else { nil } }

  /// Where it truly is at `time`.
  package func truth(at time: GNSSTime) -> SimulatedTruth {
    configuration.trajectory.truth(
      after: time - configuration.startTime, geoidSeparation: configuration.geoidSeparation)
  }

  /// A host that comes back after longer than this many epochs has missed those before.
  private static let mostEpochsMissed = 32

  /// When the first byte of the n-th epoch is made.
  private func burst(of epoch: Int, _ power: Power) -> Instant {
    power.since + model.elapsed(at: epoch) + configuration.latency
  }

  /// Makes the epochs that are due and gives what the line has carried.
  private func run(_ power: inout Power, at now: Instant) -> [Action] {
    let due = (now - burst(of: 0, power)).wholeNanoseconds / model.period.wholeNanoseconds
    power.nextEpoch = max(power.nextEpoch, Int(due) - Self.mostEpochsMissed)
    var actions: [Action] = []
    while burst(of: power.nextEpoch, power) <= now {
      let made = burst(of: power.nextEpoch, power)
      // What was through before this epoch came leaves room for it.
      while let piece = power.queue.next(at: made) { actions.append(.send(piece)) }
      let bytes = say(power.nextEpoch, &power)
      wake(&power, at: made, byLine: false)
      if !model.isStalled(after: model.elapsed(at: power.nextEpoch)), power.sleepEnd == nil {
        power.queue.append(bytes, at: made)
      }
      power.nextEpoch += 1
    }
    return actions + transmit(&power, at: now)
  }

  private func transmit(_ power: inout Power, at now: Instant) -> [Action] {
    for (at, bytes) in power.late where at <= now { power.queue.append(bytes, at: at) }
    power.late.removeAll { $0.at <= now }
    var actions: [Action] = []
    while let piece = power.queue.next(at: now) { actions.append(.send(piece)) }
    return actions
  }

  /// All that is said of an epoch, faults of the line included.
  private func say(_ index: Int, _ power: inout Power) -> [UInt8] {
    var bytes = model.garbage(before: index)
    let speech = EpochSpeech(configuration: configuration)
    for message in speech.messages(of: power.model.epoch(index), outputs: power.memory.outputs) {
      power.messagesSaid += 1
      bytes += corrupted(message, number: power.messagesSaid)
    }
    return bytes
  }

  private func corrupted(_ message: [UInt8], number: Int) -> [UInt8] {
    let isHit = configuration.faults.contains {
      if case .corruption(let every) = $0 { every > 0 && number.isMultiple(of: every) } else { false }
    }
    guard isHit, !message.isEmpty else { return message }
    var message = message
    // In the middle there is no framing; the lowest bit makes neither a line end nor a `$` or `*` out of what is there.
    message[message.count / 2] ^= 1
    return message
  }
}

extension SimulatedReceiver {
  /// Everything that a simulated receiver is made of; two equal ones say the same bytes at the same times.
  package struct Configuration: Hashable, Sendable {
    /// What it talks.
    package var dialect = Dialect.nmea411
    /// Sentences that the dialect's usual set does not have, each once an epoch; ignored by a dialect without NMEA.
    package var extraSentences: Set<SentenceKind> = []
    /// Whether a u-blox is as it comes out of the box: it says NMEA alone until it is told otherwise.
    package var isFactorySet = false
    /// Whether a u-blox of generation 9 takes the older messages, too; generation 10 does not.
    package var hasSettingMessages = true
    /// Its own port that the line ends at, as its settings count them: 1 UART1, 3 USB.
    package var port: UInt8 = 1
    /// Epochs a second, 1…25.
    package var rateHertz = 1
    /// The speed of its line in bits per second.
    package var baud = 9600
    /// Whether an epoch's bytes leave at once (USB) or no faster than `baud` lets them, `chunkBytes` at a time (UART).
    package var pacing = Pacing.atOnce
    /// From an epoch to its first byte.
    package var latency = Duration.milliseconds(80)

    /// Where it is when.
    package var trajectory = Trajectory.stationary(
      at: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455))
    /// Height of the geoid above the ellipsoid.
    package var geoidSeparation = Meters(47.5)
    /// The true UTC time of power-on.
    package var startTime = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
    /// GPS time minus UTC in seconds.
    package var leapSeconds = 18
    /// What it knows how long after power-on.
    package var coldStart = ColdStart.hot
    /// What goes wrong.
    package var faults: [Fault] = []
    /// What its measurements are off by.
    package var noise = Noise()

    /// Whether its output says that it is a simulation: NMEA quality 8 and mode S, an extension of MON-VER.
    package var announcesSimulation = true
    /// The serial number that SEC-UNIQID tells.
    package var uniqueID: [UInt8] = [0x5C, 0x0F, 0xFE, 0xE0, 0x01]

    /// A stationary receiver that knows all from the start.
    package init() {}
  }

  /// How bytes leave the receiver.
  package enum Pacing: Hashable, Sendable {
    /// An epoch in one piece.
    case atOnce
    /// Pieces of that many bytes, each when its last bit would be through: ten bits a byte.
    case dribbled(chunkBytes: Int)
  }
}

/// Something that goes wrong with a simulated receiver. Times count from power-on; intervals include their beginning and
/// not their end, and go by the epoch that they touch.
package enum Fault: Hashable, Sendable {
  /// No satellites, so no fix; time goes on.
  case lossOfFix(Range<Duration>)
  /// Nothing at all is said; the receiver comes back as if nothing had been.
  case stall(Range<Duration>)
  /// The same position again and again, while time, speed and signals go on.
  case frozenPosition(Range<Duration>)
  /// That many bytes of noise before each epoch of the interval.
  case garbage(Range<Duration>, bytes: Int)
  /// Settings are refused (ACK-NAK).
  case refusedSettings
  /// They are, from then on.
  case refusedSettingsAfter(Duration)
  /// Settings are acknowledged, or answered, so much later.
  case lateAcknowledgements(Duration)
  /// Every `every`-th acknowledgement or answer to a command is not said.
  case forgottenAcknowledgements(every: Int)
  /// Every answer to a setting comes later by something up to this, and one in so many not at all; by chance, as of `seed`.
  case erraticAcknowledgements(upTo: Duration, oneLostIn: Int, seed: UInt64)
  /// After so many answers to settings none is said any more, until that long after power-on; what is told is done.
  case deafenedAfter(answers: Int, until: Duration)
  /// Every `every`-th sentence or message, counted from power-on, has one bit flipped.
  case corruption(every: Int)
  /// The date is 1024 weeks too early, told as if it were right.
  case weekRollover
  /// UTC is off by so many seconds, because the receiver has not heard the number of leap seconds yet.
  case wrongLeapSeconds(Range<Duration>, error: Int)
}
