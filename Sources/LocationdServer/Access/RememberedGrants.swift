package import LocationPolicy

/// What is known at the start of who may know.
package struct RememberedGrants: Hashable, Sendable {
  /// Why something that was decided is not known any more.
  package enum Loss: Hashable, Sendable {
    /// The file was damaged, and is set aside under that name.
    case damaged(setAside: String)
    /// It is as it was, and cannot be read.
    case unreadable(KeepingProblem)
  }

  package var grants: [Grant] = []
  /// `nil`: that is not known any more.
  package var isOn: Bool?
  /// What was told last where only reduced accuracy is granted.
  package var reduced: ReducedPlace?
  package var loss: Loss?
  /// Why what is decided from now on cannot be kept, where that is known already.
  package var problem: KeepingProblem?

  package init(grants: [Grant] = [], isOn: Bool? = true, reduced: ReducedPlace? = nil, loss: Loss? = nil) {
    self.grants = grants
    self.isOn = isOn
    self.reduced = reduced
    self.loss = loss
  }
}
