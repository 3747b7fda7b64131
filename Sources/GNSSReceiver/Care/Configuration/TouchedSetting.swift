/// A setting that was read, and may have been changed.
struct TouchedSetting: Hashable, Sendable {
  let setting: ReceiverSetting
  /// What the receiver told before anything was changed.
  let original: [UInt8]
  let originalNumber: Int
  /// What it is now; `nil`: nobody knows any more.
  var number: Int?
  /// Times that it was written in vain.
  var writes = 0
}
