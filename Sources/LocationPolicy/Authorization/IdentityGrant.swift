package import Geodesy

/// The grant of one identity: the stored part, and the part that lasts only while it is in use.
struct IdentityGrant: Hashable, Sendable {
  /// Delay from the first background use of a provisional always to the second prompt (Documentation/Behavior.md, "Requests for
  /// authorization"). Apple says a few days, which we read as three.
  static let secondQuestionDelay = Duration.seconds(3 * 86_400)

  private(set) var record: GrantRecord?
  /// The record that was last sent to be stored.
  private var kept: GrantRecord?
  /// The grant of Allow Once, while that lasts.
  private var once: PromptResponder.GrantLimit?
  private var hasTemporaryFullAccuracy = false
  /// First background use under a provisional always, until `record` has its time of day, for which the wall clock has to be
  /// trusted.
  private var backgroundUseAt: Instant?
  /// When the second prompt is due; `nil`: not needed, or not known yet.
  private(set) var secondQuestionAt: Instant?
  /// Increases with each new identity: the oldest is forgotten first.
  let order: Int

  init(order: Int) { self.order = order }

  /// From a record read from the disk.
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
  /// The most that it can grant to its user's confined programs.
  var ceiling: PromptResponder.GrantLimit { PromptResponder.GrantLimit(level, isReduced: isReduced) }
  /// Whether no decision is lost if it is forgotten.
  var isNotDetermined: Bool { level == .notDetermined }
  var isEmpty: Bool { record == nil && once == nil && kept == nil }

  private var ceilingOfRecord: PromptResponder.GrantLimit? {
    record.map { PromptResponder.GrantLimit($0.level, isReduced: $0.isReduced) }
  }

  // MARK: Decisions

  /// Records an answer by a person who can grant `most`.
  mutating func answer(
    _ question: AuthorizationPrompt, _ answer: PromptAnswer, most: PromptResponder.GrantLimit, usage: DeclaredUsage,
    clock: GNSSTime?
  ) {
    let isReduced = most.isReduced || (answer.isReduced ?? question.isReduced)
    switch question.kind {
    case .first(let requestsAlways, let offersAlways):
      let given: AuthorizationLevel =
        switch answer.choice {
        case .no: .denied
        case .once, .whileInUse: .whenInUse
        case .always: offersAlways && most.level == .always ? .always : .whenInUse
        }
      guard answer.choice != .once else {
        once = PromptResponder.GrantLimit(.whenInUse, isReduced: isReduced)
        return
      }
      var record = GrantRecord(given, isReduced: given != .denied && isReduced)
      record.isProvisional = given == .always
      // If the client requested always and less is granted, the prompt for always has been answered.
      record.hasAskedAlways = requestsAlways && given == .whenInUse
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

  /// Records a decision without a prompt.
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

  /// Records what the configuration grants.
  mutating func configure(clock: GNSSTime?) {
    var next = GrantRecord(.always)
    next.purpose = GrantRecord.configuredPurpose
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

  /// The program has connected again, possibly updated (Documentation/Behavior.md, "Requests for authorization"): it loses what it
  /// no longer declares.
  mutating func visit(_ client: AuthorizationClient) {
    let (whenInUse, always) = (client.usage.whenInUse != nil, client.usage.always != nil)
    // A program that declares nothing makes no requests, and loses nothing.
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

  /// No client of the identity is in use any longer.
  mutating func leaveUse() { (once, hasTemporaryFullAccuracy) = (nil, false) }

  /// A client of the identity receives positions now.
  mutating func use(from presence: ClientPresence, at now: Instant, clock: GNSSTime?) {
    if let clock { record?.usedAt = clock }
    guard presence == .background, isProvisional, record?.usedInBackgroundAt == nil else { return }
    backgroundUseAt = backgroundUseAt ?? now
  }

  /// Computes when the second prompt is due.
  mutating func settle(at now: Instant, clock: GNSSTime?) {
    guard isProvisional else { return forgetSecondQuestion() }
    if let clock {
      if let used = backgroundUseAt, record?.usedInBackgroundAt == nil {
        record?.usedInBackgroundAt = clock + (used - now)
      }
      guard let used = record?.usedInBackgroundAt else { return }
      // A clock that was ahead at the time must not postpone the prompt forever.
      if used > clock { record?.usedInBackgroundAt = clock }
      secondQuestionAt = now + (Self.secondQuestionDelay - (clock - min(used, clock)))
    } else if let used = backgroundUseAt {
      secondQuestionAt = used + Self.secondQuestionDelay
    }
  }

  /// The record to store now, if it has changed.
  mutating func takeChanges(of identity: ClientIdentity) -> AuthorizationStateMachine.Action? {
    let isUpdate = record?.isUpdate(over: kept) ?? (kept != nil)
    guard isUpdate else { return nil }
    kept = record
    return .keep(identity, record)
  }
}

/// The stored part of one identity's grant.
package struct Grant: Hashable, Sendable {
  package var identity: ClientIdentity
  package var record: GrantRecord

  package init(_ identity: ClientIdentity, _ record: GrantRecord) {
    self.identity = identity
    self.record = record
  }

  /// Whether it was granted by the configuration; also if it was revoked since.
  var isConfigured: Bool {
    guard case .network = identity.realm else { return false }
    return record.purpose == GrantRecord.configuredPurpose
  }
}

/// The decision for an identity and its stored state: one record per identity on the disk.
package struct GrantRecord: Hashable, Sendable {
  package var level: AuthorizationLevel
  package var isReduced: Bool
  /// Always was granted at the first prompt; a second prompt follows after background use (Documentation/Behavior.md, "Requests for
  /// authorization").
  package var isProvisional = false
  /// The prompt for the upgrade from when-in-use to always is not shown any more: it was answered, the second prompt was, or a first
  /// prompt that requested always was answered with when-in-use.
  package var hasAskedAlways = false
  /// What the client declared when a prompt was answered, and at its connections since. `false` after a decision without a prompt;
  /// later connections do not change that.
  package var declaredAlways = false
  package var declaredWhenInUse = false
  /// The client's purpose, as shown to the person, at most 200 bytes.
  package var purpose: String?
  /// The name that the client gave itself; not authenticated.
  package var name: String?
  /// When it was decided; `nil` if the clock was not trusted.
  package var decidedAt: GNSSTime?
  /// When the identity last used location.
  package var usedAt: GNSSTime?
  /// The first background use under a provisional always.
  package var usedInBackgroundAt: GNSSTime?

  package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
    self.level = level
    self.isReduced = isReduced
  }

  /// The purpose of a grant that stands in the configuration of the machine.
  package static let configuredPurpose = "A setting sends positions to this address."

  /// Minimum interval between stored uses: the last use is shown to the day, and each write wears a memory card.
  private static let useInterval = Duration.seconds(3600)

  /// Whether it differs from the stored record in a way that matters.
  func isUpdate(over kept: GrantRecord?) -> Bool {
    guard let kept else { return true }
    var same = self
    same.usedAt = kept.usedAt
    if same != kept { return true }
    guard let usedAt, let before = kept.usedAt else { return usedAt != nil }
    // A time from a clock that was ahead is corrected at once.
    return usedAt < before || usedAt - before >= Self.useInterval
  }

  /// A copy whose texts are cleaned and shortened for display and storage.
  var cleaned: GrantRecord {
    var record = self
    record.purpose = SanitizedText.of(purpose)
    record.name = SanitizedText.of(name)
    return record
  }
}
