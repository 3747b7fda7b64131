package import Geodesy
package import WireFormats

/// One receiver from the opening of its port on: finds its baud rate, decodes its messages, and detects when it falls silent.
///
/// It listens before it writes. To a receiver that its service does not own, it writes only polls and assistance data for the
/// first fix. It restores every setting that it changed in an owned receiver before the port is closed.
package struct ReceiverSession: Sendable {
  /// Rounds over all baud rates after which a receiver is reported as mute.
  package static let roundsBeforeGivingUp = 2

  /// No working line pauses for this long within a frame. After such a pause the decoder drops the unfinished frame, so that a
  /// false length does not hold back the bytes that follow.
  private static let longestPauseInFrame: Duration = .milliseconds(500)

  private enum State {
    case closed
    case probing(BaudRateProbe)
    case talking(ReceiverTimeout)
    /// It was put to sleep, and sends nothing until it wakes up.
    case poweredDown(until: Instant?)
  }

  private var settings: ReceiverSettings
  private var state = State.closed
  private var decoder = WireDecoder()
  private var listener: ReceiverListener
  /// Bytes since the port was opened.
  package private(set) var bytesReceived = 0
  private var hasReportedSilence = false
  /// The baud rate that the port is set to; `nil` if it has none.
  package private(set) var speed: Int?

  /// A session for a port that is not open yet.
  package init(_ settings: ReceiverSettings) {
    self.settings = settings
    listener = ReceiverListener(settings, at: Instant(nanoseconds: 0))
  }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    var session = self
    return session.earliestDeadline()
  }

  /// The same as `nextDeadline`, without a copy, for an owner that calls it after every few bytes.
  package mutating func earliestDeadline() -> Instant? {
    switch state {
    case .closed: return nil
    case .probing(let probe): return probe.deadline
    case .talking(let watch):
      let deadline = watch.deadline
      return min(deadline, listener.deadline() ?? deadline)
    case .poweredDown(let end): return end
    }
  }

  /// Whether a valid frame was received since the port was opened.
  package var hasReceivedFrame: Bool {
    switch state {
    case .talking, .poweredDown: true
    case .closed, .probing: false
    }
  }

  /// The changed settings that the next session has to restore; `nil`: none.
  package var pendingRestore: SavedReceiverConfiguration? { listener.pendingRestore }

  /// Counters of the frames and bytes decoded so far.
  package var counters: DecodeCounters { decoder.counters }

  /// Handles one input and returns the resulting actions.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .opened(let baud)): return opened(baud: baud, at: now)
    case (.closed, .wake): return []
    case (.probing(let probe), .wake): return advance(probe, at: now)
    case (.talking(let watch), .wake): return checkSilence(watch, at: now)
    case (_, .configure(let requestedConfiguration)):
      settings.requestedConfiguration = requestedConfiguration
      listener.setOwned(requestedConfiguration != nil)
      return care(at: now) { $0.configure(requestedConfiguration, at: now) }
    case (.talking, .powerDown(let time)): return powerDown(time, at: now)
    case (.poweredDown, .wakeUp): return [.write(UbloxController.wakeUp)] + woken(at: now)
    case (.poweredDown(let end), .wake):
      guard let end, now >= end else { return [] }
      return woken(at: now)
    case (.closed, .powerDown), (.probing, .powerDown), (.poweredDown, .powerDown): return []
    case (.closed, .wakeUp), (.probing, .wakeUp), (.talking, .wakeUp): return []
    case (.talking, .help(let help)): return care(at: now) { $0.help(help, at: now) }
    case (.talking, .restore(let settings)): return care(at: now) { $0.restore(settings, at: now) }
    case (.talking, .release): return care(at: now) { $0.release(at: now) }
    case (.closed, .help), (.probing, .help), (.poweredDown, .help): return []
    case (.closed, .restore), (.probing, .restore), (.poweredDown, .restore): return []
    case (.talking, .ended):
      var actions: [Action] = []
      listener.end(at: now, &actions)
      return actions
    case (.closed, .ended), (.probing, .ended), (.poweredDown, .ended): return []
    // Nothing was written to it, or it has lost its volatile settings.
    case (.closed, .release), (.probing, .release), (.poweredDown, .release): return [.released(notPutBack: 0)]
    }
  }

  private mutating func care(
    at now: Instant, _ body: (inout UbloxController) -> [UbloxController.Action]
  ) -> [Action] {
    var actions: [Action] = []
    listener.care(at: now, &actions, body)
    return actions
  }

  /// Whether epochs are also sent before they are complete, because a client waits for a fix.
  package var sendsPrompts: Bool {
    get { listener.sendsPrompts }
    set { listener.sendsPrompts = newValue }
  }

  /// Whether a u-blox is asked for its leap seconds, because clocks get its time.
  package var asksLeapSeconds: Bool {
    get { listener.asksLeapSeconds }
    set { listener.asksLeapSeconds = newValue }
  }

  /// Handles bytes that the receiver sent.
  package mutating func receive(_ bytes: Span<UInt8>, at now: Instant) -> [Action] {
    bytesReceived &+= bytes.count
    let validBefore = decoder.counters.validFrames
    var actions: [Action] = []
    Self.decode(bytes, to: &decoder, &listener, at: now, &actions)
    return received(actions, frame: decoder.counters.validFrames != validBefore, at: now)
  }

  /// Handles a report from gpsd about the receiver, in place of the receiver's bytes.
  package mutating func receive(_ report: GPSDMessage, at now: Instant) -> [Action] {
    var actions: [Action] = []
    _ = listener.receivedBytes(0, at: now, &actions)
    listener.receive(report, at: now, &actions)
    return received(actions, frame: true, at: now)
  }

  /// Updates the state of the link after data was received. `frame`: whether the data contained a valid frame.
  private mutating func received(_ actions: [Action], frame heardFrame: Bool, at now: Instant) -> [Action] {
    switch state {
    case .closed: return []
    case .probing(let probe):
      guard heardFrame else { return advance(probe, at: now) }
      state = .talking(ReceiverTimeout(at: now))
      hasReportedSilence = false
      var found: [Action] = [.stateChanged(.talking)]
      if let speed { found.append(.speedFound(speed)) }
      return found + actions
    case .poweredDown: return heardFrame ? woken(at: now) + actions : actions
    case .talking(var watch):
      guard heardFrame else { return actions }
      let wasSilent = watch.received(period: listener.epochPeriod, at: now)
      state = .talking(watch)
      return wasSilent ? [.stateChanged(.talking)] + actions : actions
    }
  }

  /// Call after all available bytes are received. Returns until when the next bytes may stay unread because the epoch cannot
  /// end before; `nil`: read them at once. A caller that leaves bytes unread reads them at that time, and calls this again.
  package mutating func rest(at now: Instant) -> Instant? {
    switch state {
    case .closed, .probing, .poweredDown: nil
    case .talking: listener.rest(at: now)
    }
  }

  /// Static because it modifies two members at once, which a closure over `self` must not do.
  private static func decode(
    _ bytes: Span<UInt8>, to decoder: inout WireDecoder, _ listener: inout ReceiverListener, at now: Instant,
    _ actions: inout [Action]
  ) {
    if listener.receivedBytes(bytes.count, at: now, &actions) >= longestPauseInFrame, decoder.hasPendingBytes {
      decoder.resynchronize { listener.receive($0, at: now, &actions) }
    }
    decoder.push(bytes) { listener.receive($0, at: now, &actions) }
  }

  // MARK: - Sleep

  private mutating func powerDown(_ time: Duration?, at now: Instant) -> [Action] {
    guard let bytes = listener.sleepRequest(time) else { return [] }
    state = .poweredDown(until: time.map { now + $0 })
    return [.write(bytes)]
  }

  /// The receiver sends data again, or is about to: as after power-on, it has lost its volatile settings.
  private mutating func woken(at now: Instant) -> [Action] {
    state = .talking(ReceiverTimeout(at: now))
    return care(at: now) { $0.receiverRestarted(at: now) }
  }

  // MARK: -

  private mutating func opened(baud: Int?, at now: Instant) -> [Action] {
    decoder.reset()
    listener = ReceiverListener(settings, at: now)
    bytesReceived = 0
    hasReportedSilence = false
    speed = settings.hasLineSpeed ? baud : nil
    listener.speed = speed
    let probe = BaudRateProbe(lastGood: settings.lastGoodSpeed ?? speed, at: now)
    state = .probing(probe)
    var actions: [Action] = [.stateChanged(.probing(baud: probe.speed))]
    if settings.hasLineSpeed, speed != probe.speed {
      speed = probe.speed
      listener.speed = speed
      actions.append(.setSpeed(probe.speed))
    }
    return actions
  }

  private mutating func advance(_ probe: BaudRateProbe, at now: Instant) -> [Action] {
    var probe = probe
    guard let next = probe.advance(noiseBytes: Int(truncatingIfNeeded: decoder.counters.noiseBytes), at: now) else {
      return []
    }
    var actions: [Action] = []
    if settings.hasLineSpeed {
      decoder.reset()
      probe.discountNoise(upTo: Int(truncatingIfNeeded: decoder.counters.noiseBytes))
      speed = next
      listener.speed = speed
      actions = [.setSpeed(next), .stateChanged(.probing(baud: next))]
    }
    state = .probing(probe)
    if probe.roundsDone >= Self.roundsBeforeGivingUp, !hasReportedSilence {
      hasReportedSilence = true
      actions.append(.nothingReceived(bytes: bytesReceived, speeds: settings.hasLineSpeed ? probe.speeds : []))
    }
    return actions
  }

  private mutating func checkSilence(_ watch: ReceiverTimeout, at now: Instant) -> [Action] {
    var actions: [Action] = []
    listener.wake(at: now, &actions)
    var watch = watch
    switch watch.verdict(at: now) {
    case .nothing: break
    case .fellSilent: actions.append(.stateChanged(.silent))
    // A recording may pause for any time; there is no port to reopen.
    case .reopen: if !settings.isSimulated { actions.append(.reopen) }
    }
    state = .talking(watch)
    return actions
  }
}
