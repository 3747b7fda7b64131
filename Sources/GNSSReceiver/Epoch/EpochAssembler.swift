import Geodesy
import WireFormats

/// Collects the messages of one moment in one draft, and decides when there is enough for a prompt fix and when the epoch is
/// complete.
///
/// An epoch is complete with the message that the assembler has learned to be its last, with UBX-NAV-EOE, with a silence on the
/// line, or at the latest with the first message of the next epoch.
struct EpochAssembler: Sendable {
  /// A draft to pass on. Indirect because a draft is large, and most messages produce none.
  indirect enum Output {
    case prompt(EpochDraft)
    case complete(EpochDraft)
  }

  /// The largest difference between times of one epoch: UBX reports nanoseconds of the receiver's clock, NMEA hundredths of a
  /// second.
  static let sameEpochNanoseconds: Int64 = 10_000_000
  /// The silence that ends an epoch of a slow receiver. For a fast one it is a third of its period, and at least 20 ms, which
  /// is longer than any gap that a USB adapter makes within a burst (FTDI: 16 ms).
  static let longestGap: Duration = .milliseconds(150)
  static let shortestGap: Duration = .milliseconds(20)
  /// The longest pause within an epoch that is waited for; never more than half the period.
  static let longestPatience: Duration = .milliseconds(500)
  /// After this long without a byte, the next byte belongs to a new epoch, even if `wake` was not called during the silence.
  static let certainSilence: Duration = .seconds(1)
  /// How long the accuracy, the dilution and the dimension (2D or 3D) of the previous epoch may stand in for those that
  /// have not been received yet.
  static let evidenceLifetime: Duration = .seconds(3)

  private var draft: EpochDraft?
  private var hasSentPrompt = false
  /// Whether the owner wants epochs before they are complete.
  var sendsPrompts = true
  private var cycle = CycleEnd()
  private var relation = WeekTimeRelation()
  /// The messages of this epoch, each with its number of occurrences: so few that a linear search is faster than hashing.
  private var occurrences: [CycleEnd.Signature] = []
  /// An upper limit that no epoch reaches; further kinds are not counted.
  private static let mostKinds = 64
  /// The epoch that was completed last; late messages of it belong to no other epoch.
  private var completed: EpochDraft?
  private var period: Duration = .seconds(1) {
    didSet { if period != oldValue { gap = Self.gap(period: period, patience: patience) } }
  }
  private var beganAt: Instant?
  /// Whether the line has been silent since the last completed epoch.
  private var isPastSilence = false
  /// Whether any epoch contained a date.
  private var hasReceivedDate = false
  /// Whether the next epoch is certain to begin with its first message: the line has been silent once, or an epoch was completed.
  private var hasDetectedSilence = false
  private var lastReceived: Instant
  /// Longer than a gap that ended an epoch too early: the receiver pauses within its epochs.
  private var patience: Duration = .zero {
    didSet { gap = Self.gap(period: period, patience: patience) }
  }
  /// Satellites from a list that came after its epoch was complete; reported with the next epoch.
  private var lateSky: EpochDraft?
  /// Times of a slower talker on the same line, whose messages are ignored.
  private var staleTimes = StaleTimes()
  /// Time of the latest epoch that reported whether there is a fix, in nanoseconds of the day.
  private var present: Int64?

  /// An assembler for a port that was just opened, or whose baud rate has just changed.
  init(at now: Instant) { lastReceived = now }

  /// After a silence this long, the first byte of an epoch cannot have been missed.
  static let silenceBeforeEpoch: Duration = .milliseconds(50)

  /// When silence will have completed the epoch, or the messages after a completed one; `nil` while none of its messages
  /// reports whether there is a fix. Until then messages without a time belong to the next message with one, and a
  /// message with only a time begins an epoch, whatever pause follows. An epoch can lack a time: before its first
  /// satellite signal, a receiver without a clock reports "no fix" and no time.
  ///
  /// Mutating, so that the draft, which is large, is read in place.
  mutating func deadline() -> Instant? {
    let isWaitedFor =
      draft?.isReportedValid == true || draft?.isReportedInvalid == true
      || draft?.isStraggler == true && draft?.nanosecondsOfDay == nil
    return isWaitedFor ? lastReceived + gap : nil
  }

  /// The silence that ends an epoch, from `period` and `patience`.
  private var gap = gap(period: .seconds(1), patience: .zero)

  private static func gap(period: Duration, patience: Duration) -> Duration {
    max(min(longestGap, max(shortestGap, period / 3)), min(patience, period / 2))
  }

  /// The time between epochs.
  var epochPeriod: Duration { period }

  /// Bytes have arrived, possibly less than a message: the line is not silent.
  /// Returns how long it was silent before.
  mutating func received(at now: Instant, emit: (Output) -> Void) -> Duration {
    let silence = now - lastReceived
    if silence >= max(Self.certainSilence, period) { wake(at: now, emit: emit) }
    if silence >= Self.silenceBeforeEpoch {
      hasDetectedSilence = true
      isPastSilence = true
    }
    lastReceived = now
    return silence
  }

  /// Handles a message that is part of an epoch. `absorb` writes it into the draft.
  mutating func receive(
    time: MessageTime?, signature: CycleEnd.Signature?, isEnd: Bool, at now: Instant,
    absorb: (inout EpochDraft) -> Void, emit: (Output) -> Void
  ) {
    if case .ofBoth(let day, let week)? = time { relation.learn(nanosecondsOfDay: day, timeOfWeek: week) }
    let day = time.map { $0.nanosecondsOfDay ?? relation.nanosecondsOfDay(at: $0.timeOfWeek ?? 0) }

    var isStepBack = false
    if let day {
      if let present {
        let lag = Self.difference(present, day)
        let isLate = lag > Self.sameEpochNanoseconds
        if staleTimes.isStale(day, lag: isLate ? lag : 0, second: 1_000_000_000) { return }
        // The receiver continues from this time: its clock was set back.
        isStepBack = isLate && lag <= StaleTimes.longestLagSeconds * 1_000_000_000
        if isStepBack { self.present = nil }
      }
      if draft?.nanosecondsOfDay == nil, isSame(day, completed?.nanosecondsOfDay) {
        // A late message of the epoch that was taken for complete. The header of an occasional satellite list does not
        // count as such a message: its satellites are reported with the next epoch.
        if signature != nil { cycle.wasWrong() }
        let pause = completed.map { now - $0.lastArrival } ?? .zero
        if pause >= gap, pause < period / 2 { patience = min(pause * 5 / 4, Self.longestPatience) }
        return
      }
      if let open = draft?.nanosecondsOfDay {
        if !isSame(day, open) { complete(learning: true, emit) }
      } else if draft?.isStraggler == true {
        dropStraggler()
      }
    }
    if draft == nil { begin(at: now) }
    if draft?.nanosecondsOfDay == nil, let day {
      draft?.nanosecondsOfDay = day
      measurePeriod(at: now)
    }

    let counted = signature.map { count($0) }
    draft?.lastArrival = now
    if let counted {
      draft?.lastSignature = counted
      if draft?.firstMessage == nil { draft?.firstMessage = EpochMessageType(rawValue: counted.type) }
    }
    draft?.change(absorb)
    if isStepBack { draft?.isAfterStepBack = true }
    // Read in place because the draft is large.
    if draft?.isReportedValid == true || draft?.isReportedInvalid == true {
      present = draft?.nanosecondsOfDay ?? present
    }
    if isEnd || counted.map(cycle.isEnd) ?? false {
      complete(learning: false, emit)
    } else {
      sendPrompt(at: now, emit)
    }
  }

  /// The line may have been silent for long enough.
  mutating func wake(at now: Instant, emit: (Output) -> Void) {
    guard let deadline = deadline(), now >= deadline else { return }
    if draft?.isStraggler == true, draft?.nanosecondsOfDay == nil {
      dropStraggler()
    } else {
      complete(learning: true, emit)
    }
  }

  /// Discards messages that came after the one taken for the epoch's last. An occasional list of satellites does not end an
  /// epoch; its satellites are kept for the next epoch.
  private mutating func dropStraggler() {
    guard let late = draft.take() else { return }
    if late.isSkyAlone { lateSky = late } else { cycle.wasWrong() }
  }

  private func isSame(_ a: Int64, _ b: Int64?) -> Bool {
    guard let b else { return false }
    return abs(Self.difference(a, b)) <= Self.sameEpochNanoseconds
  }

  /// The time from `b` to `a`, both times of day; at most half a day either way.
  private static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let day = GNSSTime.nanosecondsPerDay
    let difference = a - b
    return difference > day / 2 ? difference - day : difference < -day / 2 ? difference + day : difference
  }

  private mutating func begin(at now: Instant) {
    occurrences.removeAll(keepingCapacity: true)
    hasSentPrompt = false
    draft = EpochDraft(
      at: now, isWhole: hasDetectedSilence, isStraggler: completed?.nanosecondsOfDay != nil && !isPastSilence)
  }

  private mutating func measurePeriod(at now: Instant) {
    if let beganAt { period = min(max(now - beganAt, .milliseconds(20)), .seconds(10)) }
    beganAt = now
  }

  private mutating func count(_ signature: CycleEnd.Signature) -> CycleEnd.Signature {
    if let index = occurrences.firstIndex(where: { $0.type == signature.type && $0.detail == signature.detail }) {
      occurrences[index].occurrence &+= 1
      return occurrences[index]
    }
    var counted = signature
    counted.occurrence = 1
    if occurrences.count < Self.mostKinds { occurrences.append(counted) }
    return counted
  }

  private mutating func complete(learning: Bool, _ emit: (Output) -> Void) {
    // Modified in place: a draft is large.
    guard draft != nil else { return }
    takeDimensionsOfBefore()
    if lateSky != nil, let late = lateSky.take(), draft?.listsSatellites == false { draft?.takeSky(of: late) }
    if learning, let last = draft?.lastSignature { cycle.epochEnded(with: last) }
    swap(&completed, &draft)
    draft = nil
    // The next epoch begins with its first message, with or without a silence.
    hasDetectedSilence = true
    isPastSilence = false
    if completed?.date != nil { hasReceivedDate = true }
    completed?.period = period
    if let completed { emit(.complete(completed)) }
  }

  /// A message that comes alone, between fuller epochs, does not report 2D or 3D: the dimension of the previous epoch still
  /// holds.
  private mutating func takeDimensionsOfBefore() {
    guard draft?.hasFix == true, draft?.reportsDimensions == false, completed?.hasFix == true,
      let arrival = draft?.lastArrival, let before = completed?.lastArrival,
      arrival - before <= Self.evidenceLifetime, let hadHeight = completed?.isThreeDimensional
    else { return }
    draft?.isTwoDimensional = !hadHeight
  }

  private mutating func sendPrompt(at now: Instant, _ emit: (Output) -> Void) {
    // Runs for every message, so the large draft is read in place.
    guard sendsPrompts, !hasSentPrompt, draft?.hasFix == true, draft?.nanosecondsOfDay != nil else { return }
    // The date may still follow in this epoch; an earlier epoch's date can stand in for it, a guess cannot.
    guard draft?.date != nil || hasReceivedDate else { return }
    // If the last epoch had no fix, a later message of this one may report that there is none.
    guard completed?.hasFix != false, let draft else { return }
    var prompt = draft
    let recent = completed.flatMap { now - $0.lastArrival <= Self.evidenceLifetime ? $0 : nil }
    if !draft.reportsAccuracy {
      guard let recent, recent.reportsAccuracy else { return }
      prompt.evidence = recent.evidence
      if prompt.kind == nil { prompt.kind = recent.kind }
    }
    // The height may still follow: without it a fix of this epoch looks 2D.
    if let recent, !draft.reportsDimensions { prompt.isTwoDimensional = !recent.isThreeDimensional }
    hasSentPrompt = true
    emit(.prompt(prompt))
  }
}
