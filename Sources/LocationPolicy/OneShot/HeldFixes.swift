package import Geodesy

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
