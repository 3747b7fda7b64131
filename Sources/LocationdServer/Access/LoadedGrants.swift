package import LocationPolicy

/// The stored authorization state, as loaded at the start.
package struct LoadedGrants: Hashable, Sendable {
  /// Why stored decisions are lost.
  package enum Loss: Hashable, Sendable {
    /// The file was damaged, and was renamed to the given name.
    case damaged(setAside: String)
    /// The file cannot be read, and is left unchanged.
    case unreadable(GrantStorageProblem)
  }

  package var grants: [Grant] = []
  /// Whether location is switched on; `nil` if that is lost.
  package var isOn: Bool?
  /// The reduced position that was last sent to clients with only reduced accuracy.
  package var reduced: ReducedPositionState?
  package var loss: Loss?
  /// The problem that prevents storing decisions, if it is already known.
  package var problem: GrantStorageProblem?

  package init(grants: [Grant] = [], isOn: Bool? = true, reduced: ReducedPositionState? = nil, loss: Loss? = nil) {
    self.grants = grants
    self.isOn = isOn
    self.reduced = reduced
    self.loss = loss
  }
}
