package import LocationPolicy

/// What has been granted, and what is asked for, as far as the one who asks has a say.
package struct GrantList: Hashable, Sendable {
  /// Whether the service is switched on.
  package var isOn: Bool
  package var grants: [Grant] = []
  /// The questions that wait for an answer, the oldest first.
  package var pending: [Question] = []

  package init(isOn: Bool) { self.isOn = isOn }
}
