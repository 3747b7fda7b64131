package import Geodesy

/// What was decided for an identity and what must be remembered of it: kept on the disk, one for each identity.
package struct GrantRecord: Hashable, Sendable {
  package var level: AuthorizationLevel
  package var isReduced: Bool
  /// Always was granted at the first question, and is to be asked about once more after it was used in the background
  /// (behaviour-details.md §2.10, "Provisional Always").
  package var isProvisional = false
  /// The one question for the step from when-in-use to always has been put.
  package var hasAskedAlways = false
  /// The highest level that the client declared at its latest visit.
  package var declaredAlways = false
  package var declaredWhenInUse = false
  /// The description of the latest visit, in the person's words, at most 200 bytes.
  package var purpose: String?
  /// The name that it gave itself; vouches for nothing.
  package var name: String?
  /// When it was decided, last had a position, and first had one in the background under a provisional always.
  package var decidedAt: GNSSTime?
  package var usedAt: GNSSTime?
  package var usedInBackgroundAt: GNSSTime?

  package init(_ level: AuthorizationLevel, isReduced: Bool = false) {
    self.level = level
    self.isReduced = isReduced
  }
}
