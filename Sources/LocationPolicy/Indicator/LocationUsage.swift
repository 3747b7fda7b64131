package import Geodesy

/// One line of the list of who uses location.
package struct LocationUsage: Hashable, Sendable {
  package enum Mark: Hashable, Sendable {
    /// Now, or until a minute ago.
    case current
    /// Within the last 24 hours; grey.
    case recently
    /// Only fences are installed; hollow.
    case fences
  }

  package let user: LocationUser
  package let mark: Mark
  /// What it uses now.
  package let uses: LocationUses
  /// Since when, without an interruption; `nil`: not now.
  package let since: Instant?
  /// When it last did, but for fences and visits; `nil`: never.
  package let usedAt: Instant?
}
