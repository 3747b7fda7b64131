/// What was changed in a receiver and not put back, as its port was lost or the service was killed: asked again, the receiver
/// would tell what it was set to.
package struct InheritedSettings: Hashable, Sendable {
  /// One setting that was changed.
  struct Item: Hashable, Sendable {
    let setting: ReceiverSetting
    /// What the receiver told before.
    let original: [UInt8]
    /// What it was set to, or was about to be.
    let left: Int
  }

  /// A receiver in its own words.
  struct Owner: Hashable, Sendable {
    var model: String?
    var firmware: String?
    var uniqueID: String?
  }

  /// Whose it is: another receiver at the same place has settings of its own.
  let owner: Owner
  let language: SettingLanguage
  let items: [Item]

  /// How many there are.
  package var count: Int { items.count }

  /// Whether they are those of the receiver that says this of itself, at the same port of its own.
  func belong(to identity: ReceiverIdentity, _ language: SettingLanguage) -> Bool {
    owner == Owner(identity) && self.language == language
  }

  /// Whether all that `other` says is said here, too: what is put back by and by need not be written down each time.
  func covers(_ other: InheritedSettings) -> Bool {
    owner == other.owner && language == other.language && other.items.allSatisfy(items.contains)
  }
}

extension InheritedSettings.Owner {
  init(_ identity: ReceiverIdentity) {
    self.init(model: identity.model, firmware: identity.firmware, uniqueID: identity.uniqueID)
  }
}
