package import Geodesy

/// The state of one request: the fixes so far, and whether they suffice for an answer.
struct OneShotSearch {
  /// How a search ends.
  enum Verdict {
    case answer(PositionFix)
    case failure(OneShotFailure)
  }

  /// The state of the sources.
  private enum Sources {
    /// Not reported yet.
    case unknown
    case available
    /// There has been no source since the start; `since`: when that was first reported.
    case none(since: Instant)
    /// The last source ended at this time.
    case lost(at: Instant)
  }

  /// A receiver that re-enumerates on USB returns within this time; its absence is not reported before.
  static let returnTime: Duration = .seconds(5)
  /// A receiver without a single satellite for this long is not going to find one: the request ends early.
  static let deafTime: Duration = .seconds(60)

  private let options: OneShotOptions
  private let startedAt: Instant
  private var sources = Sources.unknown
  private var held = HeldFixes()
  /// `nil` while no fix is held, or only Wi-Fi fixes that may be followed by better ones.
  private var convergence: Convergence?
  /// The receiver's last report.
  private var satellitesInView: Int?
  /// Start of the period in which the receiver has reported zero satellites; `nil`: it receives some, or has not reported.
  private var deafSince: Instant?
  /// The quality flag of the last fix that could not be used (`.some(nil)`: it was too old or had no radius); `nil`: there was none.
  private var unusable: FixQualityFlag??

  /// Starts with the last fix of a running service, which is held if it is usable and ignored otherwise.
  init(_ options: OneShotOptions, lastFix: PositionFix?, isTracked: Bool, startedAt: Instant) {
    self.options = options
    self.startedAt = startedAt
    if let lastFix, Self.isUsable(lastFix, for: options, startedAt: startedAt, at: startedAt) {
      add(lastFix, isTracked: isTracked, at: startedAt)
    }
  }

  /// Whether a fix was received after the request.
  func isFresh(_ fix: PositionFix) -> Bool { fix.receivedAt > startedAt }

  /// Holds a fix if it is usable as an answer.
  mutating func add(_ fix: PositionFix, isTracked: Bool, at now: Instant) {
    guard Self.isUsable(fix, for: options, startedAt: startedAt, at: now) else {
      unusable = .some(fix.qualityFlag)
      return
    }
    held.insert(fix, at: now)
    // Wi-Fi does not show the progress of a receiver: its fix answers if it is good enough, or else at the end if nothing better
    // came.
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
    case (.unknown, false): sources = .none(since: now)
    case (.available, false): sources = .lost(at: now)
    case (.none, false), (.lost, false): break
    }
    if !available {
      deafSince = nil
      satellitesInView = nil
    }
  }

  /// The number of satellites received. The timeout without a satellite starts with the first report of zero; it does not apply to
  /// a receiver that reports no number.
  mutating func satellites(inView: Int?, at now: Instant) {
    guard let inView else { return }
    satellitesInView = inView
    deafSince = inView > 0 ? nil : deafSince ?? now
  }

  /// The end of the search, if it is due.
  mutating func verdict(at now: Instant) -> Verdict? {
    held.removeAll { [options, startedAt] in !Self.isUsable($0, for: options, startedAt: startedAt, at: now) }
    guard let best = held.best(at: now) else {
      convergence = nil
      return failure(at: now).map(Verdict.failure)
    }
    if isEnough(best, at: now) { return .answer(best) }
    guard options.rule == .required else { return nil }
    return failure(at: now, best: best.horizontalRadius68(at: now)).map(Verdict.failure)
  }

  /// When `verdict` may change without input.
  var nextDeadline: Instant {
    var next = startedAt + options.timeout
    if let convergence, options.rule == .converging { return min(next, convergence.deadline) }
    if let deafSince { next = min(next, deafSince + Self.deafTime) }
    guard !options.waitsForSource else { return next }
    return switch sources {
    case .unknown, .available: next
    case .none(let since): min(next, since + OneShot.enumerationTime)
    case .lost(let at): min(next, at + Self.returnTime)
    }
  }

  /// Whether a fix is usable at `now`: not suspect, with a radius, and received after the request or recent enough.
  private static func isUsable(
    _ fix: PositionFix, for options: OneShotOptions, startedAt: Instant, at now: Instant
  ) -> Bool {
    guard fix.qualityFlag == nil, fix.horizontalRadius68.value > 0, fix.horizontalRadius68.value.isFinite else {
      return false
    }
    return fix.receivedAt > startedAt || (options.maximumAge > .zero && fix.age(at: now) <= options.maximumAge)
  }

  private func isEnough(_ best: PositionFix, at now: Instant) -> Bool {
    if let desired = options.desiredRadius68, best.horizontalRadius68(at: now) <= desired { return true }
    switch options.rule {
    case .required: return false
    case .converging: if let convergence, convergence.isReached(at: now) { return true }
    case .preferred: break
    }
    if now >= startedAt + options.timeout { return true }
    // A receiver without satellites does not improve its fixes.
    if isDeaf(at: now) { return true }
    // Without the source no better fix comes, and the held ones lose accuracy.
    return switch sources {
    case .unknown, .available: false
    case .none, .lost: true
    }
  }

  private func isDeaf(at now: Instant) -> Bool { deafSince.map { now >= $0 + Self.deafTime } ?? false }

  /// - Parameter best: the smallest radius of the fixes received, if the request does not accept them.
  private func failure(at now: Instant, best: Meters? = nil) -> OneShotFailure? {
    let isOverdue = now >= startedAt + options.timeout
    switch sources {
    case .none(let since)
    where isOverdue || (!options.waitsForSource && now >= since + OneShot.enumerationTime):
      return .noSource
    case .lost(let at) where isOverdue || (!options.waitsForSource && now >= at + Self.returnTime):
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

/// Detects when fixes have stopped improving: the break-even point of Documentation/Behavior.md, "One fix".
///
/// That point is 3 epochs without a gain above 10 %, and at most 3 s (so that a slow receiver does not delay the answer); a fix of
/// a receiver that already tracks has converged. A gain is measured against the radius of the last gain, so that small steps add up
/// and one regression does not make the next fix look like an improvement.
package struct Convergence: Hashable, Sendable {
  /// A radius below this share of the radius at the last gain is a gain.
  package static let gainShare = 0.9
  /// The break-even point is reached after this many epochs without a gain.
  package static let epochsWithoutGain = 3
  /// It is also reached after this time without a gain.
  package static let timeWithoutGain: Duration = .seconds(3)
  /// Maximum time to wait after the first fix, even if the radius still improves.
  package static let timeAfterFirstFix: Duration = .seconds(10)

  private let firstFixAt: Instant
  private var lastGainAt: Instant
  /// The radius at the last gain.
  private var reference: Meters
  /// The epoch of the last fix: the early and the complete fix of one epoch count once.
  private var epoch: GNSSTime
  private var epochsWithoutGain = 0
  private var isTracked: Bool

  /// Starts with the first usable fix.
  package init(firstFix fix: PositionFix, isTracked: Bool, at now: Instant) {
    firstFixAt = now
    lastGainAt = now
    reference = fix.horizontalRadius68
    epoch = fix.time
    self.isTracked = isTracked
  }

  /// Adds one more usable fix.
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

  /// When the wait ends if no further fix comes.
  package var deadline: Instant {
    min(lastGainAt + Self.timeWithoutGain, firstFixAt + Self.timeAfterFirstFix)
  }

  /// Whether further waiting is useless.
  package func isReached(at now: Instant) -> Bool {
    isTracked || epochsWithoutGain >= Self.epochsWithoutGain || now >= deadline
  }
}

/// The intermediate fixes that a request holds back, of which the best is the answer.
///
/// Which one is best depends on the time of the answer: an accurate fix of a fast vehicle is soon worse than a less accurate one
/// that has just arrived. So several are kept, and compared by their accuracy at that time.
package struct HeldFixes: Hashable, Sendable {
  /// Maximum number of fixes; one more replaces the worst.
  package static let capacity = 16

  /// In the order of arrival, at most `capacity`.
  private var fixes: [PositionFix] = []

  package init() {}

  package var isEmpty: Bool { fixes.isEmpty }

  /// Adds `fix`. It replaces an earlier fix of the same epoch and device, which it completes.
  package mutating func insert(_ fix: PositionFix, at now: Instant) {
    fixes.removeAll { $0.time == fix.time && $0.device == fix.device }
    fixes.append(fix)
    guard fixes.count > Self.capacity else { return }
    let radii = fixes.map { $0.horizontalRadius68(at: now) }
    if let worst = radii.indices.max(by: { radii[$0] < radii[$1] }) { fixes.remove(at: worst) }
  }

  /// Removes the fixes that are no longer usable.
  package mutating func removeAll(where isUnusable: (PositionFix) -> Bool) {
    fixes.removeAll(where: isUnusable)
  }

  /// The fix with the smallest radius at `now`, the newest if several are equal; with its original radius, not grown to `now`.
  package func best(at now: Instant) -> PositionFix? {
    fixes.reversed().min { $0.horizontalRadius68(at: now) < $1.horizontalRadius68(at: now) }
  }
}
