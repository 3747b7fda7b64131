package import Geodesy

/// A receiver without a sky, for tests and `--source simulator`: sends what a real one of its dialect would send, at the same
/// times, and answers the polls that its dialect supports.
package struct SimulatedReceiver: Sendable {
  /// The inputs of the receiver.
  package enum Input: Hashable, Sendable {
    /// Power is switched on: time zero of its trajectory, cold start and faults.
    case powered
    /// Bytes that the driver has written.
    case received([UInt8])
    /// Power is switched off; the receiver loses its state.
    case unplugged
    /// The deadline was reached; calling early is a no-op.
    case wake
  }

  /// The outputs of the receiver.
  package enum Action: Hashable, Sendable {
    /// The driver receives these bytes now.
    case send([UInt8])
  }

  /// Its configuration.
  package let configuration: Configuration
  let model: EpochModel
  private var state = State.off

  private enum State: Sendable {
    case off
    case on(Power)
  }

  /// The state from power-on to power-off.
  struct Power: Sendable {
    let since: Instant
    /// The epoch to be sent next.
    var nextEpoch = 0
    /// The number of sentences and messages sent so far, for the faults that count them.
    var messagesSent = 0
    var queue: TransmitQueue
    var listener = CommandListener()
    var memory: UbloxMemory
    var assistance: UbloxAssistance
    var corrections = UbloxCorrections()
    /// The model of the epochs. Assistance data shortens its acquisition times.
    var model: EpochModel
    /// The receiver sleeps until then, and neither sends nor receives anything except what wakes it.
    var sleepEnd: Instant?
    /// Delayed output.
    var late: [(at: Instant, bytes: [UInt8])] = []
    /// The number of commands answered so far, for the faults that count them.
    var answers = 0
  }

  /// A receiver without power.
  package init(_ configuration: Configuration) {
    self.configuration = configuration
    self.model = EpochModel(configuration)
  }

  /// The next deadline; `nil` without power.
  package var nextDeadline: Instant? {
    switch state {
    case .off: return nil
    case .on(let power):
      let epoch = burst(of: power.nextEpoch, power)
      return ([epoch, power.queue.nextDeadline].compactMap { $0 } + power.late.map(\.at)).min()
    }
  }

  /// Handles an input at `now`; returns the actions.
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
      // Output that is due precedes answers.
      wake(&power, at: now, byLine: true)
      let actions = run(&power, at: now)
      if isUblox, power.memory.takesCorrections { power.corrections.receive(bytes, at: now) }
      for command in power.listener.receive(bytes) {
        guard isUblox, !model.isStalled(after: now - power.since) else { continue }
        for answer in answers(to: command, &power, at: now) { send(answer, to: command, &power, at: now) }
      }
      let answers = transmit(&power, at: now)
      state = .on(power)
      return actions + answers
    case (.off, .unplugged), (.off, .wake), (.off, .received):
      return []
    }
  }

  /// The corrections that it has received; `nil` without power.
  package var corrections: UbloxCorrections? { if case .on(let power) = state { power.corrections } else { nil } }

  /// The receiver's settings; `nil` without power.
  package var memory: UbloxMemory? { if case .on(let power) = state { power.memory } else { nil } }

  /// The receiver's true position at `time`.
  package func truth(at time: GNSSTime) -> SimulatedTruth {
    configuration.trajectory.truth(
      after: time - configuration.startTime, geoidSeparation: configuration.geoidSeparation)
  }

  /// If the host pauses for more than this many epochs, the older ones are not sent.
  private static let mostEpochsMissed = 32

  /// The time at which the first byte of the n-th epoch is produced.
  private func burst(of epoch: Int, _ power: Power) -> Instant {
    power.since + model.elapsed(at: epoch) + configuration.latency
  }

  /// Produces the epochs that are due and returns what the line has transmitted.
  private func run(_ power: inout Power, at now: Instant) -> [Action] {
    let due = (now - burst(of: 0, power)).wholeNanoseconds / model.period.wholeNanoseconds
    power.nextEpoch = max(power.nextEpoch, Int(due) - Self.mostEpochsMissed)
    var actions: [Action] = []
    while burst(of: power.nextEpoch, power) <= now {
      let made = burst(of: power.nextEpoch, power)
      // Bytes that were transmitted before this epoch leave room for it.
      while let piece = power.queue.next(at: made) { actions.append(.send(piece)) }
      let bytes = send(power.nextEpoch, &power, at: made)
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

  /// The whole output of an epoch, line faults included.
  private func send(_ index: Int, _ power: inout Power, at made: Instant) -> [UInt8] {
    var bytes = model.garbage(before: index)
    let speech = EpochOutput(configuration: configuration)
    var epoch = power.model.epoch(index)
    epoch.carrier = epoch.solution == .none ? .none : power.corrections.solution(at: made)
    epoch.correctionAgeClass = power.corrections.ageClass(at: made)
    for message in speech.messages(of: epoch, outputs: power.memory.outputs) {
      power.messagesSent += 1
      bytes += corrupted(message, number: power.messagesSent)
    }
    return bytes
  }

  private func corrupted(_ message: [UInt8], number: Int) -> [UInt8] {
    let isHit = configuration.faults.contains {
      if case .corruption(let every) = $0 { every > 0 && number.isMultiple(of: every) } else { false }
    }
    guard isHit, !message.isEmpty else { return message }
    var message = message
    // Framing is never in the middle of a message. In the text of a sentence, a flipped lowest bit creates neither a
    // line end nor a `$` or `*`.
    message[message.count / 2] ^= 1
    return message
  }
}

extension SimulatedReceiver {
  /// The configuration of a simulated receiver; two receivers with equal ones send the same bytes at the same times.
  package struct Configuration: Hashable, Sendable {
    /// Its dialect.
    package var dialect = Dialect.nmea411
    /// Sentences beyond the dialect's usual set, each once per epoch; ignored by a dialect without NMEA.
    package var extraSentences: Set<SentenceKind> = []
    /// Whether a u-blox has its factory settings: it sends only NMEA until it is configured.
    package var isFactorySet = false
    /// Whether a u-blox of generation 9 also accepts the older messages; generation 10 does not.
    package var hasSettingMessages = true
    /// Whether it is a receiver for RTK, which accepts corrections; only `ublox9`.
    package var takesCorrections = false
    /// Whether it accepts them on its port before that is set.
    package var hasCorrectionInput = true
    /// The receiver's own port to which the line is connected, as its settings number the ports: 1 UART1, 3 USB.
    package var port: UInt8 = 1
    /// Epochs per second, 1…25.
    package var rateHertz = 1
    /// The baud rate of its line in bits per second.
    package var baud = 9600
    /// Whether an epoch's bytes leave at once (USB) or no faster than `baud` allows, `chunkBytes` at a time (UART).
    package var pacing = Pacing.atOnce
    /// The delay from an epoch to its first byte.
    package var latency = Duration.milliseconds(80)

    /// The trajectory.
    package var trajectory = Trajectory.stationary(
      at: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455))
    /// Height of the geoid above the ellipsoid.
    package var geoidSeparation = Meters(47.5)
    /// The true UTC time of power-on.
    package var startTime = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
    /// GPS time minus UTC in seconds.
    package var leapSeconds = 18
    /// The acquisition times after power-on.
    package var coldStart = ColdStart.hot
    /// The faults.
    package var faults: [Fault] = []
    /// The measurement errors.
    package var noise = Noise()

    /// Whether the output is marked as a simulation: NMEA quality 8 and mode S, an extension of MON-VER.
    package var announcesSimulation = true
    /// The serial number in SEC-UNIQID.
    package var uniqueID: [UInt8] = [0x5C, 0x0F, 0xFE, 0xE0, 0x01]

    /// A stationary receiver that knows everything from the start.
    package init() {}
  }

  /// The transmission of bytes from the receiver.
  package enum Pacing: Hashable, Sendable {
    /// An epoch in one piece.
    case atOnce
    /// Pieces of that many bytes, each at the time when its last bit is transmitted: ten bits per byte.
    case dribbled(chunkBytes: Int)
  }
}

/// A fault of a simulated receiver. Times count from power-on; intervals include their beginning but not their end, and
/// apply to the epochs within them.
package enum Fault: Hashable, Sendable {
  /// No satellites, so no fix; time continues.
  case lossOfFix(Range<Duration>)
  /// No output at all; afterwards the receiver continues as if nothing had happened.
  case stall(Range<Duration>)
  /// The same position again and again, while time, speed and signals continue.
  case frozenPosition(Range<Duration>)
  /// That many bytes of noise before each epoch of the interval.
  case garbage(Range<Duration>, bytes: Int)
  /// Settings are rejected (ACK-NAK).
  case refusedSettings
  /// Settings are rejected from then on.
  case refusedSettingsAfter(Duration)
  /// Answers to settings commands, acknowledgements included, are delayed by this much.
  case lateAcknowledgements(Duration)
  /// Every `every`-th answer to a settings command, acknowledgements included, is not sent.
  case forgottenAcknowledgements(every: Int)
  /// Every answer to a settings command is delayed by a random time up to this, and on average one in this many is not
  /// sent; random by `seed`.
  case erraticAcknowledgements(upTo: Duration, oneLostIn: Int, seed: UInt64)
  /// After this many answers to settings commands no more are sent, until that long after power-on; settings still take
  /// effect.
  case deafenedAfter(answers: Int, until: Duration)
  /// Every `every`-th sentence or message, counted from power-on, has one bit flipped.
  case corruption(every: Int)
  /// The date is 1024 weeks too early, reported as if it were correct.
  case weekRollover
  /// UTC is off by this many seconds, because the receiver has not received the number of leap seconds yet.
  case wrongLeapSeconds(Range<Duration>, error: Int)
  /// The reported horizontal accuracy is smaller than the errors by this factor.
  case overconfidence(factor: Double)
}
