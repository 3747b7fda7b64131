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
