package import Geodesy

/// What a request has seen so far, and whether that is enough for an answer.
struct OneShotSearch {
  /// How a search ends.
  enum Verdict {
    case answer(PositionFix)
    case failure(OneShotFailure)
  }

  /// What is known of the sources.
  private enum Sources {
    /// Not told yet.
    case unknown
    case available
    /// There has been none since the start.
    case none
    /// There was one until then.
    case lost(at: Instant)
  }

  /// A receiver that re-enumerates on USB is back within this time; nobody is told in between that it had gone.
  static let returnTime: Duration = .seconds(5)
  /// A receiver that hears no satellite at all for this long will not: the command ends early.
  static let deafTime: Duration = .seconds(60)

  private let request: OneShotRequest
  private let startedAt: Instant
  private var sources = Sources.unknown
  private var held = HeldFixes()
  /// `nil` exactly while nothing is held.
  private var convergence: Convergence?
  /// What the receiver said last.
  private var satellitesInView: Int?
  /// Since when it says that there is none.
  private var deafSince: Instant?
  /// The last fix that could not be used, and why (`.some(nil)`: too old).
  private var unusable: Suspicion??

  /// Begins, with what a running service had last: held if it may be given, else as if it were not there.
  init(_ request: OneShotRequest, lastFix: PositionFix?, isTracked: Bool, startedAt: Instant) {
    self.request = request
    self.startedAt = startedAt
    if let lastFix, Self.isUsable(lastFix, for: request, startedAt: startedAt, at: startedAt) {
      add(lastFix, isTracked: isTracked, at: startedAt)
    }
  }

  /// Whether a fix came after the request.
  func isFresh(_ fix: PositionFix) -> Bool { fix.receivedAt > startedAt }

  /// Keeps a fix, if it may be an answer.
  mutating func add(_ fix: PositionFix, isTracked: Bool, at now: Instant) {
    guard Self.isUsable(fix, for: request, startedAt: startedAt, at: now) else {
      unusable = .some(fix.suspicion)
      return
    }
    held.insert(fix, at: now)
    // Wi-Fi says nothing of how a receiver is coming along: it is given if it is good enough, else when nothing better has come.
    guard isTracked || fix.technologies.contains(.gnss) else { return }
    if convergence == nil {
      convergence = Convergence(firstFix: fix, isTracked: isTracked, at: now)
    } else {
      convergence?.add(fix, isTracked: isTracked, at: now)
    }
  }

  /// Whether any source is there.
  mutating func sourcesChanged(available: Bool, at now: Instant) {
    switch (sources, available) {
    case (_, true): sources = .available
    case (.unknown, false), (.none, false): sources = .none
    case (.available, false): sources = .lost(at: now)
    case (.lost, false): break
    }
    if !available {
      deafSince = nil
      satellitesInView = nil
    }
  }

  /// How many satellites are heard. Zero is counted from the first time that the receiver says so; one that does not say
  /// is not called deaf.
  mutating func satellites(inView: Int?, at now: Instant) {
    guard let inView else { return }
    satellitesInView = inView
    deafSince = inView > 0 ? nil : deafSince ?? now
  }

  /// The end of the search, if it has come.
  mutating func verdict(at now: Instant) -> Verdict? {
    held.removeAll { [request, startedAt] in !Self.isUsable($0, for: request, startedAt: startedAt, at: now) }
    guard let best = held.best(at: now) else {
      convergence = nil
      return failure(at: now).map(Verdict.failure)
    }
    if isEnough(best, at: now) { return .answer(best) }
    guard request.accuracyRule == .required else { return nil }
    return failure(at: now, best: best.horizontalRadius68(at: now)).map(Verdict.failure)
  }

  /// When `verdict` may change by itself.
  var nextDeadline: Instant {
    var next = startedAt + request.timeout
    if let convergence, request.accuracyRule == .converging { return min(next, convergence.deadline) }
    if let deafSince { next = min(next, deafSince + Self.deafTime) }
    if case .lost(let at) = sources, !request.waitsForSource { next = min(next, at + Self.returnTime) }
    return next
  }

  /// Whether a fix may be given at `now`: believable, and from after the request or young enough.
  private static func isUsable(
    _ fix: PositionFix, for request: OneShotRequest, startedAt: Instant, at now: Instant
  ) -> Bool {
    guard fix.suspicion == nil, fix.horizontalRadius68.value > 0, fix.horizontalRadius68.value.isFinite else {
      return false
    }
    return fix.receivedAt > startedAt || (request.maximumAge > .zero && fix.age(at: now) <= request.maximumAge)
  }

  private func isEnough(_ best: PositionFix, at now: Instant) -> Bool {
    if let desired = request.desiredRadius68, best.horizontalRadius68(at: now) <= desired { return true }
    switch request.accuracyRule {
    case .required: return false
    case .converging: if let convergence, convergence.isReached(at: now) { return true }
    case .preferred: break
    }
    if now >= startedAt + request.timeout { return true }
    // A receiver that hears nothing betters nothing.
    if isDeaf(at: now) { return true }
    // With the source gone nothing better will come, and what there is gets worse.
    return switch sources {
    case .unknown, .available: false
    case .none, .lost: true
    }
  }

  private func isDeaf(at now: Instant) -> Bool { deafSince.map { now >= $0 + Self.deafTime } ?? false }

  /// - Parameter best: the smallest radius of the fixes that came, where the request does not take them.
  private func failure(at now: Instant, best: Meters? = nil) -> OneShotFailure? {
    let isOverdue = now >= startedAt + request.timeout
    switch sources {
    case .none where isOverdue || !request.waitsForSource:
      return .noSource
    case .lost(let at) where isOverdue || (!request.waitsForSource && now >= at + Self.returnTime):
      return .sourceEnded
    case .unknown, .available, .none, .lost:
      break
    }
    guard isOverdue || isDeaf(at: now) else { return nil }
    if let best { return .notAccurateEnough(best: best) }
    if let unusable { return .noUsableFix(unusable) }
    return isDeaf(at: now) ? .noSatellites : .noFix(satellitesInView: satellitesInView)
  }
}

/// Tells when fixes have stopped getting better: the break-even point of Documentation/Behavior.md, "One fix".
///
/// No gain above 10 % for 3 epochs, and at most 3 s (a slow receiver is not waited for); a fix of a receiver that tracks
/// already has converged. A gain is measured against the radius of the last gain, so that many small steps count as what
/// they add up to, and one regression does not make the next fix look like progress.
package struct Convergence: Hashable, Sendable {
  /// A radius below this share of the last one is a gain.
  package static let gainShare = 0.9
  /// As many epochs without a gain are the break-even point.
  package static let epochsWithoutGain = 3
  /// So is as much time without a gain.
  package static let timeWithoutGain: Duration = .seconds(3)
  /// However much is still gained, nobody waits longer after the first fix.
  package static let timeAfterFirstFix: Duration = .seconds(10)

  private let firstFixAt: Instant
  private var lastGainAt: Instant
  /// The radius at the last gain.
  private var reference: Meters
  /// The epoch of the last fix: a prompt and a complete fix of one epoch are one.
  private var epoch: GNSSTime
  private var epochsWithoutGain = 0
  private var isTracked: Bool

  /// Begins with the first usable fix.
  package init(firstFix fix: PositionFix, isTracked: Bool, at now: Instant) {
    firstFixAt = now
    lastGainAt = now
    reference = fix.horizontalRadius68
    epoch = fix.time
    self.isTracked = isTracked
  }

  /// Takes one more usable fix.
  package mutating func add(_ fix: PositionFix, isTracked: Bool, at now: Instant) {
    self.isTracked = isTracked
    let isNewEpoch = fix.time != epoch
    epoch = fix.time
    if fix.horizontalRadius68 < reference * Self.gainShare {
      reference = fix.horizontalRadius68
      lastGainAt = now
      epochsWithoutGain = 0
    } else if isNewEpoch {
      epochsWithoutGain += 1
    }
  }

  /// When waiting ends though no further fix comes.
  package var deadline: Instant {
    min(lastGainAt + Self.timeWithoutGain, firstFixAt + Self.timeAfterFirstFix)
  }

  /// Whether there is nothing more to wait for.
  package func isReached(at now: Instant) -> Bool {
    isTracked || epochsWithoutGain >= Self.epochsWithoutGain || now >= deadline
  }
}

/// The intermediate fixes that a request holds back, of which the best is the answer.
///
/// Which one is best depends on when it is given: a sharp fix of a fast vehicle is soon worse than a blunt one that has
/// just come. So several are kept, and compared as they are worth at that time.
package struct HeldFixes: Hashable, Sendable {
  /// As many as are kept; when one more comes, the worst goes.
  package static let capacity = 16

  /// In the order of arrival, at most `capacity`.
  private var fixes: [PositionFix] = []

  package init() {}

  package var isEmpty: Bool { fixes.isEmpty }

  /// Keeps `fix`. An earlier one of the same epoch of the same device is replaced: the epoch has been completed.
  package mutating func insert(_ fix: PositionFix, at now: Instant) {
    fixes.removeAll { $0.time == fix.time && $0.device == fix.device }
    fixes.append(fix)
    guard fixes.count > Self.capacity else { return }
    let radii = fixes.map { $0.horizontalRadius68(at: now) }
    if let worst = radii.indices.max(by: { radii[$0] < radii[$1] }) { fixes.remove(at: worst) }
  }

  /// Lets go of what may not be given any more.
  package mutating func removeAll(where isUnusable: (PositionFix) -> Bool) {
    fixes.removeAll(where: isUnusable)
  }

  /// The fix with the smallest radius at `now`, the newest of equals; its own radius, not yet grown.
  package func best(at now: Instant) -> PositionFix? {
    fixes.reversed().min { $0.horizontalRadius68(at: now) < $1.horizontalRadius68(at: now) }
  }
}
