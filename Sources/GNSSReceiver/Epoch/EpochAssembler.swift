import Geodesy
import WireFormats

/// Gathers the messages of one moment into one draft, and decides when there is enough for a prompt fix and when the epoch
/// is complete.
///
/// An epoch is complete with the message that has been learnt to be its last, with UBX-NAV-EOE, with a silence on the line,
/// or at the latest with the first message of the next one.
struct EpochAssembler: Sendable {
  /// What an epoch has come to. Indirect: a draft is large, and none comes of most messages.
  indirect enum Output {
    case prompt(EpochDraft)
    case complete(EpochDraft)
  }

  /// Times of one epoch may differ by so much: UBX tells nanoseconds of the receiver's clock, NMEA hundredths.
  static let sameEpochNanoseconds: Int64 = 10_000_000
  /// A silence that ends an epoch of a slow receiver; a fast one's is a third of its period, at least 20 ms, which is
  /// longer than any gap that a USB adapter makes within a burst (FTDI: 16 ms).
  static let longestGap: Duration = .milliseconds(150)
  static let shortestGap: Duration = .milliseconds(20)
  /// A receiver that pauses within an epoch is given so much time at the most, and never more than half its period.
  static let longestPatience: Duration = .milliseconds(500)
  /// After so long without a byte, what comes is a new epoch's: nobody was there to see the silence.
  static let certainSilence: Duration = .seconds(1)
  /// For so long the dilution of the epoch before may stand in for one that is still on the wire.
  static let evidenceLifetime: Duration = .seconds(3)

  private var draft: EpochDraft?
  private var hasSentPrompt = false
  /// Whether anybody takes an epoch before it is complete.
  var sendsPrompts = true
  private var cycle = CycleEnd()
  private var relation = WeekTimeRelation()
  /// The messages of this epoch, each with how often it has come: so few that looking through them beats hashing.
  private var occurrences: [CycleEnd.Signature] = []
  /// More kinds of messages than an epoch has; further ones are not counted.
  private static let mostKinds = 64
  /// The epoch that was completed last, whose stragglers belong to no other.
  private var completed: EpochDraft?
  private var period: Duration = .seconds(1) {
    didSet { if period != oldValue { gap = Self.gap(period: period, patience: patience) } }
  }
  private var beganAt: Instant?
  /// Whether the line has been silent since the last completed epoch.
  private var isPastSilence = false
  /// Whether any epoch told a date.
  private var hasHeardDate = false
  /// Until the line has been silent once, an epoch may have been joined half-way.
  private var hasHeardSilence = false
  private var lastHeard: Instant
  /// A gap that was too short once: the receiver pauses within its epochs.
  private var patience: Duration = .zero {
    didSet { gap = Self.gap(period: period, patience: patience) }
  }
  /// Satellites that a list named after its epoch was complete; told with the next one.
  private var lateSky: EpochDraft?
  /// Times of a slower talker on the same line, whose messages belong to no epoch.
  private var staleTimes = StaleTimes()
  /// The latest epoch that told whether there is a fix, in nanoseconds of the day.
  private var present: Int64?

  /// An assembler for a port that has just been opened, or set to another speed.
  init(at now: Instant) { lastHeard = now }

  /// A silence in which an epoch's first byte cannot have been missed.
  static let silenceBeforeEpoch: Duration = .milliseconds(50)

  /// When silence will have completed the epoch. Messages without a time belong to the next that has one, unless they are
  /// all that there is: a receiver without a clock says "no fix" and no time until it has seen the sky. A time alone is
  /// the beginning of an epoch, whatever pause follows.
  ///
  /// Mutating as only then the draft, which is large, is asked where it is.
  mutating func deadline() -> Instant? {
    let isWaitedFor =
      draft?.saysValid == true || draft?.saysInvalid == true
      || draft?.isStraggler == true && draft?.nanosecondsOfDay == nil
    return isWaitedFor ? lastHeard + gap : nil
  }

  /// How long a silence ends an epoch, by `period` and `patience`.
  private var gap = gap(period: .seconds(1), patience: .zero)

  private static func gap(period: Duration, patience: Duration) -> Duration {
    max(min(longestGap, max(shortestGap, period / 3)), min(patience, period / 2))
  }

  /// How far apart epochs are.
  var epochPeriod: Duration { period }

  /// Bytes have arrived, a message may not be complete yet: the line is not silent.
  /// Returns how long it was.
  mutating func heard(at now: Instant, emit: (Output) -> Void) -> Duration {
    let silence = now - lastHeard
    if silence >= max(Self.certainSilence, period) { wake(at: now, emit: emit) }
    if silence >= Self.silenceBeforeEpoch {
      hasHeardSilence = true
      isPastSilence = true
    }
    lastHeard = now
    return silence
  }

  /// Takes a message that says something of an epoch. `absorb` writes it into the draft.
  mutating func take(
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
        // The receiver goes on from there: its clock was set back.
        isStepBack = isLate && lag <= StaleTimes.longestLagSeconds * 1_000_000_000
        if isStepBack { self.present = nil }
      }
      if draft?.nanosecondsOfDay == nil, isSame(day, completed?.nanosecondsOfDay) {
        // A straggler of the epoch that was taken for complete. The head of a list that does not come every time is none: its
        // satellites are told with the next epoch.
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
    if let counted { draft?.lastSignature = counted }
    draft?.change(absorb)
    if isStepBack { draft?.isAfterStepBack = true }
    // Asked of the draft where it is: it is large.
    if draft?.saysValid == true || draft?.saysInvalid == true { present = draft?.nanosecondsOfDay ?? present }
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

  /// What came behind the message that was taken for the epoch's last. A list of satellites that does not come every time
  /// is no end of an epoch, and is not lost either.
  private mutating func dropStraggler() {
    guard let late = draft.take() else { return }
    if late.isSkyAlone { lateSky = late } else { cycle.wasWrong() }
  }

  private func isSame(_ a: Int64, _ b: Int64?) -> Bool {
    guard let b else { return false }
    return abs(Self.difference(a, b)) <= Self.sameEpochNanoseconds
  }

  /// How far the time of day `a` lies after `b`, at most half a day either way.
  private static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let day = GNSSTime.nanosecondsPerDay
    let difference = a - b
    return difference > day / 2 ? difference - day : difference < -day / 2 ? difference + day : difference
  }

  private mutating func begin(at now: Instant) {
    occurrences.removeAll(keepingCapacity: true)
    hasSentPrompt = false
    draft = EpochDraft(
      at: now, isWhole: hasHeardSilence, isStraggler: completed?.nanosecondsOfDay != nil && !isPastSilence)
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
    // Changed where it is: a draft is large.
    guard draft != nil else { return }
    takeDimensionsOfBefore()
    if lateSky != nil, let late = lateSky.take(), draft?.listsSatellites == false { draft?.takeSky(of: late) }
    if learning, let last = draft?.lastSignature { cycle.epochEnded(with: last) }
    swap(&completed, &draft)
    draft = nil
    // What comes after a completed epoch begins with its first message, silence or not.
    hasHeardSilence = true
    isPastSilence = false
    if completed?.date != nil { hasHeardDate = true }
    if let completed { emit(.complete(completed)) }
  }

  /// What comes alone, between epochs that tell more, says nothing of dimensions: those of a moment ago hold.
  private mutating func takeDimensionsOfBefore() {
    guard draft?.hasFix == true, draft?.tellsDimensions == false, completed?.hasFix == true,
      let arrival = draft?.lastArrival, let before = completed?.lastArrival,
      arrival - before <= Self.evidenceLifetime, let hadHeight = completed?.isThreeDimensional
    else { return }
    draft?.isTwoDimensional = !hadHeight
  }

  private mutating func sendPrompt(at now: Instant, _ emit: (Output) -> Void) {
    // Asked at every message, and so of the draft where it is: it is large.
    guard sendsPrompts, !hasSentPrompt, draft?.hasFix == true, draft?.nanosecondsOfDay != nil else { return }
    // The date may still be on the wire; that of an epoch before stands in for it, a guess does not.
    guard draft?.date != nil || hasHeardDate else { return }
    // What may still come says that there is no fix, where it said so a moment ago.
    guard completed?.hasFix != false, let draft else { return }
    var prompt = draft
    let recent = completed.flatMap { now - $0.lastArrival <= Self.evidenceLifetime ? $0 : nil }
    if !draft.tellsAccuracy {
      guard let recent, recent.tellsAccuracy else { return }
      prompt.evidence = recent.evidence
      if prompt.kind == nil { prompt.kind = recent.kind }
    }
    // The height may still be on the wire: without it a fix of this epoch looks flat.
    if let recent, !draft.tellsDimensions { prompt.isTwoDimensional = !recent.isThreeDimensional }
    hasSentPrompt = true
    emit(.prompt(prompt))
  }
}
