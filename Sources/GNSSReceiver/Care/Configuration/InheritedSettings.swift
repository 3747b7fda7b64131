/// What was changed in a receiver whose port had to be opened anew, so that it is put back in the end all the same: asked again,
/// the receiver would tell what it was set to.
package struct InheritedSettings: Hashable, Sendable {
  /// Whose it is: another receiver at the same place has settings of its own.
  let owner: ReceiverIdentity
  let language: SettingLanguage
  let touched: [TouchedSetting]

  /// Whether they are those of the receiver that says this of itself.
  func belong(to identity: ReceiverIdentity) -> Bool {
    owner.model == identity.model && owner.firmware == identity.firmware && owner.uniqueID == identity.uniqueID
  }
}
