package import Geodesy
package import WireFormats

/// The time of one receiver: everything between the bytes of its port and the samples for a clock daemon.
///
/// For each read of the port the caller provides `.bytes` before it decodes them, with the three clocks read together when the event
/// loop woke up, and how long the loop had been busy before. After the messages of the read it provides `.epoch` for each epoch that is
/// complete, with the arrival of the epoch's first message. The caller reads the pulse device once a second, before it
/// provides the epoch.
package struct ReceiverTime: Sendable {
  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// A read of the port, before its messages are handled.
    case bytes(BurstStamp.Arrival)
    /// A complete epoch. `beganAt`: when the read returned that completed its first message.
    case epoch(TimeEvidence, beganAt: Instant, firstMessage: FirstMessage?)
    /// UBX-NAV-TIMELS was received.
    case leapSeconds(NavTIMELS)
    /// UBX-TIM-TP was received.
    case nextPulse(TimTP)
    /// The latest pulse of the receiver's PPS device, read once a second; `nil`: the device has received no pulse yet.
    case pulse(PulseReading?)
    /// The state of the system's clock, once a minute: its maximum error (`nil`: not synchronized), and when a sample of any receiver was
    /// last sent.
    case systemClock(maximumError: Duration?, lastSampleSentAt: Instant?)
    /// The user has asked for a calibration, during which nothing is sent; or it has ended.
    case calibrate(Bool)
    /// The receiver has restarted.
    case restarted
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Send it to the sinks.
    case send(TimeSample)
    /// Store the measured delay.
    case calibrated(CalibrationKey, ReceiverDelay)
    /// The findings on the receiver's pulses have changed.
    case pulses(PulseMonitor.Action)
    /// For `ClockSetter`.
    case clock(ClockSetter.Input)
  }

  /// What the latest epoch has led to, for the status.
  package enum State: Hashable, Sendable {
    case nothing
    case refused(TimeRefusal)
    case noSample(SampleRefusal)
    case filter(OffsetFilter.Outcome)
  }

  /// Maximum age of an offset from messages that identifies a pulse's second, and of a pulse that calibrates an offset.
  private static let lifetime: Duration = .milliseconds(1500)

  private let receiver: String?
  private let port: PortClass
  private let table: CalibrationTable
  private var stamp: BurstStamp
  private var eligibility: TimeEligibility
  private var filter = OffsetFilter()
  private var calibrator = OffsetCalibrator()
  private var quantization = QuantizationError()
  private var monitor = PulseMonitor()
  private var leap: LeapAnnouncement?
  private var key: CalibrationKey?
  private var latest: FilteredOffset?
  private var latestPulse: (paired: PairedPulse, at: Instant)?
  private var lastSequence: UInt32?
  private var clock: (maximumError: Duration?, lastSampleSentAt: Instant?) = (nil, nil)
  private var isCalibrating = false
  private var isInterfered = false
  /// The delay that is added to each offset.
  package private(set) var delay: ReceiverDelay
  package private(set) var state = State.nothing

  /// - Parameters:
  ///   - receiver: its identity; `nil`: unknown, so that nothing can be stored for it.
  ///   - baudRate: of a UART or of an adapter with one; otherwise `nil`.
  ///   - setting: the delay from the configuration; it is not measured then.
  package init(
    receiver: String?, port: PortClass, baudRate: Int?, table: CalibrationTable,
    leapSeconds: LeapSecondTable = LeapSecondTable(), setting: Double? = nil
  ) {
    (self.receiver, self.port, self.table) = (receiver, port, table)
    stamp = BurstStamp(baudRate: baudRate)
    eligibility = TimeEligibility(table: leapSeconds)
    delay =
      setting.map { ReceiverDelay(seconds: $0, uncertaintySeconds: 0.001, basis: .setting) } ?? .usual(of: port)
  }

  /// The newest offset of the messages, without the delay; `nil`: unknown at present.
  package var newestOffset: FilteredOffset? { latest }
  /// The leap second that is announced at `now`.
  package func leapIndicator(at now: Instant) -> LeapIndicator { leap?.indicator(at: now) ?? .none }
  /// The findings on the receiver's pulses.
  package var pulseFindings: Set<PulseFinding> { monitor.findings }
  /// How much of the shortest calibration is done, 0…1.
  package func calibrationProgress(at now: Instant) -> Double { calibrator.progress(at: now) }

  /// Handles an input and returns what to do.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .bytes(let arrival): stamp.received(arrival)
    case .epoch(let evidence, let beganAt, let firstMessage):
      return epoch(evidence, beganAt: beganAt, firstMessage, at: now)
    case .leapSeconds(let message): leap = LeapAnnouncement(message, at: now)
    case .nextPulse(let message): quantization.announced(picoseconds: message.quantizationErrorPicoseconds, at: now)
    case .pulse(let reading): return pulse(reading, at: now)
    case .systemClock(let error, let sentAt): clock = (error, sentAt)
    case .calibrate(let isCalibrating): self.isCalibrating = isCalibrating
    case .restarted:
      eligibility.receiverRestarted()
      stamp.reset()
      forget()
    }
    return []
  }

  // MARK: Messages

  private mutating func epoch(
    _ evidence: TimeEvidence, beganAt: Instant, _ firstMessage: FirstMessage?, at now: Instant
  ) -> [Action] {
    var actions = monitor.handle(.lock(evidence.is3DFix), at: now).map(Action.pulses)
    let refusal = eligibility.handle(evidence, at: now)
    if isInterfered != eligibility.isInterfered(at: now) {
      isInterfered.toggle()
      actions.append(.clock(.interference(isInterfered)))
    }
    let outcome = evidence.time.map { stamp.completed(time: $0, beganAt: beganAt) }
    if let refusal {
      state = .refused(refusal)
      latest = nil
      return actions + [.clock(.unconfirmed)]
    }
    select(firstMessage)
    switch outcome {
    case .sample(let sample)?:
      actions.append(
        .clock(.confirmed(time: sample.time + .nanoseconds(Int64(delay.seconds * 1e9)), reading: sample.arrival)))
      receive(sample, at: now, &actions)
    case .refused(let refusal)?: state = .noSample(refusal)
    case nil: break
    }
    return actions
  }

  /// Selects the delay that belongs to the receiver's present output. A different output is another series of offsets.
  private mutating func select(_ firstMessage: FirstMessage?) {
    guard let receiver, let firstMessage else { return }
    let milliseconds = (stamp.epochCycle.inSeconds * 1000).rounded()
    let present = CalibrationKey(
      receiver: receiver, port: port, cycleMilliseconds: UInt16(min(max(milliseconds, 1), 65_535)),
      firstMessage: firstMessage)
    guard present != key else { return }
    key = present
    forget()
    if delay.basis != .setting { delay = table.delay(of: present, port: port) }
  }

  private mutating func forget() {
    filter.reset()
    calibrator.reset()
    latest = nil
    latestPulse = nil
  }

  private mutating func receive(_ sample: RawSample, at now: Instant, _ actions: inout [Action]) {
    let outcome = filter.handle(sample)
    switch outcome {
    // This second already has an offset.
    case .waiting where latest != nil: return
    case .waiting, .tooWide, .offLine:
      state = .filter(outcome)
      if case .tooWide = outcome { latest = nil }
    case .offset(let offset):
      state = .filter(outcome)
      latest = offset
      calibrate(offset, at: now, &actions)
      guard !isCalibrating else { return }
      actions.append(
        .send(
          TimeSample(
            system: offset.reading.system, offsetSeconds: offset.offsetSeconds + delay.seconds,
            uncertaintySeconds: delay.uncertaintySeconds + offset.deviationSeconds, isPulse: false,
            leap: leap?.indicator(at: now) ?? .none)))
    }
  }

  private mutating func calibrate(_ offset: FilteredOffset, at now: Instant, _ actions: inout [Action]) {
    guard let key, delay.basis != .setting else { return }
    let recent = latestPulse.flatMap { now - $0.at <= Self.lifetime ? $0.paired.offsetSeconds : nil }
    let reference = CalibrationReference.choose(
      pulseOffsetSeconds: recent, clockError: clock.maximumError, lastSampleSentAt: clock.lastSampleSentAt, at: now)
    guard let measured = calibrator.handle(offset: offset, reference: reference, at: now) else { return }
    delay = measured
    actions.append(.calibrated(key, measured))
  }

  // MARK: Pulses

  private mutating func pulse(_ reading: PulseReading?, at now: Instant) -> [Action] {
    var actions = monitor.handle(.pulse(reading), at: now).map(Action.pulses)
    guard let reading, reading.sequence != lastSequence else { return actions }
    let isFirst = lastSequence == nil
    lastSequence = reading.sequence
    // The first reading can be of any age.
    guard !isFirst, let latest else { return actions }
    let age = latest.reading.system - reading.system
    guard age <= Self.lifetime, age >= .zero - Self.lifetime else { return actions }
    let error = quantization.takeSeconds(pulseAt: latest.reading.monotonic - age)
    let outcome = PulsePairing.pair(
      reading, messageOffsetSeconds: latest.offsetSeconds + delay.seconds, quantizationSeconds: error ?? 0)
    let distance: Double
    switch outcome {
    case .paired(let paired):
      distance = paired.distanceSeconds
      latestPulse = (paired, now)
      if !isCalibrating {
        actions.append(
          .send(
            TimeSample(
              system: paired.system, offsetSeconds: paired.offsetSeconds, uncertaintySeconds: 1e-6, isPulse: true,
              leap: leap?.indicator(at: now) ?? .none)))
      }
    case .tooFar(let far): distance = far
    }
    let compared = PulseMonitor.Input.compared(
      distanceSeconds: distance, uncertaintySeconds: delay.uncertaintySeconds)
    return actions + monitor.handle(compared, at: now).map(Action.pulses)
  }
}
