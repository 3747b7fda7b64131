package import Geodesy
package import WireFormats

/// One receiver from the opening of its port on: finds its baud rate, decodes its messages, and detects when it falls silent.
///
/// It listens before it writes. To a receiver that its service does not own, it writes only polls and assistance data for the
/// first fix. It restores every setting that it changed in an owned receiver before the port is closed.
package struct ReceiverSession: Sendable {
  /// Rounds over all baud rates after which a receiver is reported as mute.
  package static let roundsBeforeGivingUp = 2

  /// The longest pause within a frame on a working line: after it, a false frame length must not hold back the bytes that
  /// follow.
  private static let longestPauseInFrame: Duration = .milliseconds(500)

  private enum State {
    case closed
    case hunting(SpeedHunt)
    case talking(SilenceWatch)
    /// It was put to sleep, and sends nothing until it wakes up.
    case poweredDown(until: Instant?)
  }

  private var settings: ReceiverSettings
  private var state = State.closed
  private var decoder = WireDecoder()
  private var listener: ReceiverListener
  /// Bytes since the port was opened.
  package private(set) var bytesHeard = 0
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

  /// The same without a copy, for an owner that calls it after every few bytes.
  package mutating func earliestDeadline() -> Instant? {
    switch state {
    case .closed: return nil
    case .hunting(let hunt): return hunt.deadline
    case .talking(let watch):
      let deadline = watch.deadline
      return min(deadline, listener.deadline() ?? deadline)
    case .poweredDown(let end): return end
    }
  }

  /// Whether a valid frame was received since the port was opened.
  package var hasHeardFrame: Bool {
    switch state {
    case .talking, .poweredDown: true
    case .closed, .hunting: false
    }
  }

  /// The changed settings that the next session has to restore; `nil`: none.
  package var inheritance: InheritedSettings? { listener.inheritance }

  /// Counters of the frames and bytes decoded so far.
  package var counters: DecodeCounters { decoder.counters }

  /// Handles one input and returns the resulting actions.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .opened(let baud)): return opened(baud: baud, at: now)
    case (.closed, .wake): return []
    case (.hunting(let hunt), .wake): return advance(hunt, at: now)
    case (.talking(let watch), .wake): return checkSilence(watch, at: now)
    case (_, .want(let wish)):
      settings.wish = wish
      listener.setOwned(wish != nil)
      return care(at: now) { $0.want(wish, at: now) }
    case (.talking, .powerDown(let time)): return powerDown(time, at: now)
    case (.poweredDown, .wakeUp): return [.write(ReceiverSteward.wakeUp)] + woken(at: now)
    case (.poweredDown(let end), .wake):
      guard let end, now >= end else { return [] }
      return woken(at: now)
    case (.closed, .powerDown), (.hunting, .powerDown), (.poweredDown, .powerDown): return []
    case (.closed, .wakeUp), (.hunting, .wakeUp), (.talking, .wakeUp): return []
    case (.talking, .help(let help)): return care(at: now) { $0.help(help, at: now) }
    case (.talking, .inherit(let settings)): return care(at: now) { $0.inherit(settings, at: now) }
    case (.talking, .release): return care(at: now) { $0.release(at: now) }
    case (.closed, .help), (.hunting, .help), (.poweredDown, .help): return []
    case (.closed, .inherit), (.hunting, .inherit), (.poweredDown, .inherit): return []
    case (.talking, .ended):
      var actions: [Action] = []
      listener.end(at: now, &actions)
      return actions
    case (.closed, .ended), (.hunting, .ended), (.poweredDown, .ended): return []
    // Nothing was written to it, or it has lost its volatile settings.
    case (.closed, .release), (.hunting, .release), (.poweredDown, .release): return [.released(notPutBack: 0)]
    }
  }

  private mutating func care(
    at now: Instant, _ body: (inout ReceiverSteward) -> [ReceiverSteward.Action]
  ) -> [Action] {
    var actions: [Action] = []
    listener.care(at: now, &actions, body)
    return actions
  }

  /// Whether epochs are sent before they are complete too, because a client waits for a fix.
  package var sendsPrompts: Bool {
    get { listener.sendsPrompts }
    set { listener.sendsPrompts = newValue }
  }

  /// Handles bytes that the receiver sent.
  package mutating func receive(_ bytes: Span<UInt8>, at now: Instant) -> [Action] {
    bytesHeard &+= bytes.count
    let validBefore = decoder.counters.validFrames
    var actions: [Action] = []
    Self.feed(bytes, to: &decoder, &listener, at: now, &actions)
    return heard(actions, frame: decoder.counters.validFrames != validBefore, at: now)
  }

  /// Handles a report from gpsd about the receiver, in place of the receiver's bytes.
  package mutating func receive(_ report: GPSDMessage, at now: Instant) -> [Action] {
    var actions: [Action] = []
    _ = listener.heardBytes(0, at: now, &actions)
    listener.take(report, at: now, &actions)
    return heard(actions, frame: true, at: now)
  }

  /// Updates the state of the link after data was received. `frame`: whether the data contained a valid frame.
  private mutating func heard(_ actions: [Action], frame heardFrame: Bool, at now: Instant) -> [Action] {
    switch state {
    case .closed: return []
    case .hunting(let hunt):
      guard heardFrame else { return advance(hunt, at: now) }
      state = .talking(SilenceWatch(at: now))
      hasReportedSilence = false
      var found: [Action] = [.stateChanged(.talking)]
      if let speed { found.append(.speedFound(speed)) }
      return found + actions
    case .poweredDown: return heardFrame ? woken(at: now) + actions : actions
    case .talking(var watch):
      guard heardFrame else { return actions }
      let wasSilent = watch.heard(period: listener.epochPeriod, at: now)
      state = .talking(watch)
      return wasSilent ? [.stateChanged(.talking)] + actions : actions
    }
  }

  /// Call after all available bytes are received. Returns until when the next bytes may stay unread because the epoch cannot
  /// end before; `nil`: read them at once. A caller that leaves bytes unread reads them at that time, and calls this again.
  package mutating func rest(at now: Instant) -> Instant? {
    switch state {
    case .closed, .hunting, .poweredDown: nil
    case .talking: listener.rest(at: now)
    }
  }

  /// Static because it modifies two members at once, which a closure over `self` must not do.
  private static func feed(
    _ bytes: Span<UInt8>, to decoder: inout WireDecoder, _ listener: inout ReceiverListener, at now: Instant,
    _ actions: inout [Action]
  ) {
    if listener.heardBytes(bytes.count, at: now, &actions) >= longestPauseInFrame, decoder.hasPendingBytes {
      decoder.resynchronize { listener.take($0, at: now, &actions) }
    }
    decoder.push(bytes) { listener.take($0, at: now, &actions) }
  }

  // MARK: - Sleep

  private mutating func powerDown(_ time: Duration?, at now: Instant) -> [Action] {
    guard let bytes = listener.sleepRequest(time) else { return [] }
    state = .poweredDown(until: time.map { now + $0 })
    return [.write(bytes)]
  }

  /// The receiver sends data again, or is about to: as after power-on, it has lost its volatile settings.
  private mutating func woken(at now: Instant) -> [Action] {
    state = .talking(SilenceWatch(at: now))
    return care(at: now) { $0.receiverRestarted(at: now) }
  }

  // MARK: -

  private mutating func opened(baud: Int?, at now: Instant) -> [Action] {
    decoder.reset()
    listener = ReceiverListener(settings, at: now)
    bytesHeard = 0
    hasReportedSilence = false
    speed = settings.hasLineSpeed ? baud : nil
    listener.speed = speed
    let hunt = SpeedHunt(lastGood: settings.lastGoodSpeed ?? speed, at: now)
    state = .hunting(hunt)
    var actions: [Action] = [.stateChanged(.hunting(baud: hunt.speed))]
    if settings.hasLineSpeed, speed != hunt.speed {
      speed = hunt.speed
      listener.speed = speed
      actions.append(.setSpeed(hunt.speed))
    }
    return actions
  }

  private mutating func advance(_ hunt: SpeedHunt, at now: Instant) -> [Action] {
    var hunt = hunt
    guard let next = hunt.advance(noiseBytes: Int(truncatingIfNeeded: decoder.counters.noiseBytes), at: now) else {
      return []
    }
    var actions: [Action] = []
    if settings.hasLineSpeed {
      decoder.reset()
      hunt.discountNoise(upTo: Int(truncatingIfNeeded: decoder.counters.noiseBytes))
      speed = next
      listener.speed = speed
      actions = [.setSpeed(next), .stateChanged(.hunting(baud: next))]
    }
    state = .hunting(hunt)
    if hunt.roundsDone >= Self.roundsBeforeGivingUp, !hasReportedSilence {
      hasReportedSilence = true
      actions.append(.nothingHeard(bytes: bytesHeard, speeds: settings.hasLineSpeed ? hunt.speeds : []))
    }
    return actions
  }

  private mutating func checkSilence(_ watch: SilenceWatch, at now: Instant) -> [Action] {
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
