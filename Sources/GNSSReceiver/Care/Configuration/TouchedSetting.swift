/// A setting that was read, and may have been changed.
struct TouchedSetting: Hashable, Sendable {
  let setting: ReceiverSetting
  /// What the receiver told before anything was changed.
  private(set) var original: [UInt8]
  private(set) var originalNumber: Int
  /// What it is now; `nil`: nobody knows any more.
  var number: Int?
  /// Whether it is to be read before it is written again.
  var needsReading = false
  /// What it was last set to; `nil`: it was never written.
  var written: Int?
  /// Times that it was written in vain.
  var writes = 0
  /// The receiver would not have it put back.
  var isGivenUp = false
  /// Another session has left it, and since then anybody may have set it.
  private(set) var isInherited = false

  /// One that was read for the first time.
  init(_ setting: ReceiverSetting, _ original: [UInt8], _ number: Int) {
    self.setting = setting
    self.original = original
    originalNumber = number
    self.number = number
  }

  /// One that was left changed: what it is now is to be read.
  init(_ inherited: InheritedSettings.Item, in language: SettingLanguage) {
    setting = inherited.setting
    original = inherited.original
    originalNumber = language.number(of: inherited.setting, in: inherited.original)
    written = inherited.left
    isInherited = true
    needsReading = true
  }

  /// Whether it was changed, or may have been, and is not what it was.
  var isChanged: Bool { written != nil && number != originalNumber }

  /// It was read again. What was left, and is neither what it was nor what it was set to, is somebody else's now and stays.
  mutating func found(_ value: [UInt8], _ number: Int) {
    self.number = number
    needsReading = false
    if isInherited, number != written, number != originalNumber {
      original = value
      originalNumber = number
      written = nil
    }
    isInherited = false
  }
}
