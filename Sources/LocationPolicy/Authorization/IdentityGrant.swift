package import Geodesy

/// What one identity has: what is remembered of it, and what lasts only while it is in use.
struct IdentityGrant: Hashable, Sendable {
  /// How long after the first use in the background a provisional always is asked about again (Documentation/Behavior.md, "Requests
  /// for authorization"). Apple says a few days, which we read as three.
  static let secondQuestionDelay = Duration.seconds(3 * 86_400)

  private(set) var record: GrantRecord?
  /// What was last said to be kept.
  private var kept: GrantRecord?
  /// The accuracy of Allow Once, while it lasts.
  private var once: Answerer.Ceiling?
  private var hasTemporaryFullAccuracy = false
  /// First use in the background, while the clock is not to be believed.
  private var backgroundUseAt: Instant?
  /// When the second question is due; `nil`: not at all, or not known yet.
  private(set) var secondQuestionAt: Instant?
  /// Grows with each identity that becomes known: the oldest is forgotten first.
  let order: Int

  init(order: Int) { self.order = order }

  /// What was read from the disk.
  init(kept record: GrantRecord, order: Int) {
    self.record = record.cleaned
    self.kept = record
    self.order = order
  }

  var level: AuthorizationLevel { once?.level ?? record?.level ?? .notDetermined }
  var isReduced: Bool { (once ?? ceilingOfRecord)?.isReduced == true && !hasTemporaryFullAccuracy }
  var isOnce: Bool { once != nil }
  var hasAskedAlways: Bool { record?.hasAskedAlways == true }
  var isProvisional: Bool { once == nil && record?.level == .always && record?.isProvisional == true }
  /// What it can pass on to what its user runs confined.
  var ceiling: Answerer.Ceiling { Answerer.Ceiling(level, isReduced: isReduced) }
  /// Whether forgetting it would lose nobody's word.
  var isNotDetermined: Bool { level == .notDetermined }
  var isEmpty: Bool { record == nil && once == nil && kept == nil }

  private var ceilingOfRecord: Answerer.Ceiling? { record.map { Answerer.Ceiling($0.level, isReduced: $0.isReduced) } }

  // MARK: Decisions

  /// Somebody who can give `most` answered.
  mutating func answer(
    _ question: Question, _ answer: Answer, most: Answerer.Ceiling, usage: DeclaredUsage, clock: GNSSTime?
  ) {
    let isReduced = most.isReduced || (answer.isReduced ?? question.isReduced)
    switch question.kind {
    case .first(let wishesAlways, let offersAlways):
      let given: AuthorizationLevel =
        switch answer.choice {
        case .no: .denied
        case .once, .whileInUse: .whenInUse
        case .always: offersAlways && most.level == .always ? .always : .whenInUse
        }
      guard answer.choice != .once else {
        once = Answerer.Ceiling(.whenInUse, isReduced: isReduced)
        return
      }
      var record = GrantRecord(given, isReduced: given != .denied && isReduced)
      record.isProvisional = given == .always
      // Who was offered always, and gave less, has answered about it.
      record.hasAskedAlways = wishesAlways && given == .whenInUse
      record.declaredWhenInUse = usage.whenInUse != nil
      record.declaredAlways = usage.always != nil
      record.purpose = question.purpose
      record.name = question.name
      replace(record, clock: clock)
    case .upgradeToAlways, .keepAlways:
      guard var record else { return }
      record.level = answer.choice == .always && most.level == .always ? .always : .whenInUse
      record.isReduced = most.isReduced || (answer.isReduced ?? record.isReduced)
      record.hasAskedAlways = true
      record.isProvisional = false
      record.purpose = question.purpose ?? record.purpose
      replace(record, clock: clock)
    case .fullAccuracy:
      hasTemporaryFullAccuracy = answer.choice != .no && !most.isReduced
    }
  }

  /// Somebody with a say decided without a question.
  mutating func decide(_ decision: Decision, clock: GNSSTime?) {
    guard decision != .forget else {
      record = nil
      (once, hasTemporaryFullAccuracy) = (nil, false)
      return forgetSecondQuestion()
    }
    var next: GrantRecord =
      switch decision {
      case .whenInUse(let isReduced): GrantRecord(.whenInUse, isReduced: isReduced)
      case .always(let isReduced): GrantRecord(.always, isReduced: isReduced)
      case .denied, .forget: GrantRecord(.denied)
      case .restricted: GrantRecord(.restricted)
      }
    next.hasAskedAlways = hasAskedAlways
    next.purpose = record?.purpose
    next.name = record?.name
    replace(next, clock: clock)
  }

  private mutating func replace(_ next: GrantRecord, clock: GNSSTime?) {
    var next = next
    next.usedAt = next.usedAt ?? record?.usedAt
    next.usedInBackgroundAt = nil
    next.decidedAt = clock
    record = next
    (once, hasTemporaryFullAccuracy) = (nil, false)
    forgetSecondQuestion()
  }

  private mutating func forgetSecondQuestion() { (backgroundUseAt, secondQuestionAt) = (nil, nil) }

  /// The program has come again, maybe updated (Documentation/Behavior.md, "Requests for authorization"): what it no longer
  /// declares it loses.
  mutating func visit(_ client: AuthorizationClient) {
    let (whenInUse, always) = (client.usage.whenInUse != nil, client.usage.always != nil)
    // One that declares nothing asks for nothing, and has nothing in its place.
    guard var record, whenInUse || always, record.declaredWhenInUse || record.declaredAlways else { return }
    switch record.level {
    case .always where record.declaredAlways && !always:
      record.level = .whenInUse
      record.isProvisional = false
      record.usedInBackgroundAt = nil
      forgetSecondQuestion()
    case .whenInUse where record.declaredWhenInUse && !whenInUse:
      var asked = GrantRecord(.notDetermined)
      asked.usedAt = record.usedAt
      record = asked
      hasTemporaryFullAccuracy = false
    case .notDetermined, .restricted, .denied, .whenInUse, .always: break
    }
    record.declaredWhenInUse = whenInUse
    record.declaredAlways = always
    record.purpose = (record.level == .always ? client.usage.always : client.usage.whenInUse) ?? record.purpose
    record.name = client.name ?? record.name
    self.record = record
  }

  // MARK: Use and time

  /// No client of it is in use any more.
  mutating func leaveUse() { (once, hasTemporaryFullAccuracy) = (nil, false) }

  /// A client of it has positions now.
  mutating func use(from presence: ClientPresence, at now: Instant, clock: GNSSTime?) {
    if let clock { record?.usedAt = clock }
    guard presence == .background, isProvisional, record?.usedInBackgroundAt == nil else { return }
    backgroundUseAt = backgroundUseAt ?? now
  }

  /// Finds when the second question is due.
  mutating func settle(at now: Instant, clock: GNSSTime?) {
    guard isProvisional else { return forgetSecondQuestion() }
    if let clock {
      if let used = backgroundUseAt, record?.usedInBackgroundAt == nil {
        record?.usedInBackgroundAt = clock + (used - now)
      }
      guard let used = record?.usedInBackgroundAt else { return }
      // A clock that was ahead then must not put the question off for ever.
      if used > clock { record?.usedInBackgroundAt = clock }
      secondQuestionAt = now + (Self.secondQuestionDelay - (clock - min(used, clock)))
    } else if let used = backgroundUseAt {
      secondQuestionAt = used + Self.secondQuestionDelay
    }
  }

  /// What is to be kept now, where that has changed.
  mutating func takeNews(of identity: ClientIdentity) -> AuthorizationDesk.Action? {
    let isNews = record?.isNews(over: kept) ?? (kept != nil)
    guard isNews else { return nil }
    kept = record
    return .keep(identity, record)
  }
}

/// What is remembered of one identity.
package struct Grant: Hashable, Sendable {
  package var identity: ClientIdentity
  package var record: GrantRecord

  package init(_ identity: ClientIdentity, _ record: GrantRecord) {
    self.identity = identity
    self.record = record
  }
}

/// What was decided for an identity and what must be remembered of it: kept on the disk, one for each identity.
package struct GrantRecord: Hashable, Sendable {
  package var level: AuthorizationLevel
  package var isReduced: Bool
  /// Always was granted at the first question, and is to be asked about once more after it was used in the background
  /// (Documentation/Behavior.md, "Requests for authorization").
  package var isProvisional = false
  /// The one question for the step from when-in-use to always has been answered.
  package var hasAskedAlways = false
  /// What the client declared when a question was answered, and at its visits since; none where it was decided without a
  /// question, which no update of the client changes.
  package var declaredAlways = false
  package var declaredWhenInUse = false
  /// What it wants location for, in the person's words, at most 200 bytes.
  package var purpose: String?
  /// The name that it gave itself; vouches for nothing.
  package var name: String?
  /// When it was decided, as far as the clock was to be believed.
  package var decidedAt: GNSSTime?
  /// When it last used location.
  package var usedAt: GNSSTime?
  /// When it first did so in the background under a provisional always.
  package var usedInBackgroundAt: GNSSTime?

  package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
    self.level = level
    self.isReduced = isReduced
  }

  /// Use is kept no more often than this: the time of last use is told by the day, and a card wears with each write.
  private static let useInterval = Duration.seconds(3600)

  /// Whether it says more than what was kept last.
  func isNews(over kept: GrantRecord?) -> Bool {
    guard let kept else { return true }
    var same = self
    same.usedAt = kept.usedAt
    if same != kept { return true }
    guard let usedAt, let before = kept.usedAt else { return usedAt != nil }
    // A clock that was ahead is put right at once.
    return usedAt < before || usedAt - before >= Self.useInterval
  }

  /// The same with texts that can be shown and kept.
  var cleaned: GrantRecord {
    var record = self
    record.purpose = ShownText.of(purpose)
    record.name = ShownText.of(name)
    return record
  }
}
