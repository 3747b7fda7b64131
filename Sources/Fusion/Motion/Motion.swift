/// How it moves.
package enum Motion: UInt8, Hashable, Sendable, CaseIterable {
  case stationary, walking, running, cycling, driving

  /// Whether a course can be known: what stands still has none.
  package var hasCourse: Bool { self != .stationary }
}
