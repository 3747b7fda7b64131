package import Geodesy

/// What one client wants of a stream of fixes.
package struct UpdateRequest: Hashable, Sendable {
  /// Only fixes with at most this 68 % radius are delivered; `nil`: all.
  package var desiredRadius68: Meters?
  /// Only fixes at least this far from the previously delivered one are, unless the accuracy has improved; `nil`: all.
  package var distanceFilter: Meters?
  /// With no source at all, wait for one instead of ending at once.
  package var waitsForSource: Bool
  /// What the receiver reports is wanted, believable or not: a suspect fix counts as any other.
  package var takesSuspectFixes: Bool

  /// Everything as it comes.
  package init(
    desiredRadius68: Meters? = nil, distanceFilter: Meters? = nil, waitsForSource: Bool = false,
    takesSuspectFixes: Bool = false
  ) {
    self.desiredRadius68 = desiredRadius68
    self.distanceFilter = distanceFilter
    self.waitsForSource = waitsForSource
    self.takesSuspectFixes = takesSuspectFixes
  }
}
