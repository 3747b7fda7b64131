/// Tells from what a device says of itself whether it is surely a receiver.
///
/// What is not surely a receiver is never guessed at: a wrong guess opens, and thereby resets, someone's board.
package enum ReceiverCatalog {
  /// What the decision rests on. Strings are sanitized already.
  package struct Evidence: Hashable, Sendable {
    package var subsystem: DeviceSubsystem
    package var usb: USBIdentity?
    package var product: String?
    /// The value of the udev property `ID_GNSS_RECEIVER`.
    package var isTaggedReceiver = false

    package init(subsystem: DeviceSubsystem, usb: USBIdentity? = nil, product: String? = nil) {
      self.subsystem = subsystem
      self.usb = usb
      self.product = product
    }
  }

  package static func classify(_ evidence: Evidence) -> DeviceClassification {
    if evidence.subsystem == .gnss { return .receiver(.gnssSubsystem) }
    if let entry = receivers.first(where: { $0.usb == evidence.usb }) {
      return .receiver(.catalogue(name: entry.name))
    }
    // The machine's owner wrote the rule: it outranks whatever our tables hold against the device.
    if evidence.isTaggedReceiver { return .receiver(.udevProperty) }
    guard let usb = evidence.usb else { return .adapter }
    if let entry = lookalikes.first(where: { $0.usb == usb }) {
      return .ignored(.notAReceiver(name: entry.name))
    }
    if modemVendors.contains(usb.vendorID) || usb.vendorID == uBloxVendorID && usb.productID >= firstUBloxModem {
      return .ignored(.modem)
    }
    if let product = evidence.product, saysReceiver(product, vendorID: usb.vendorID) {
      return .receiver(.productString)
    }
    return .adapter
  }

  /// Whether a product string names a receiver and no modem.
  private static func saysReceiver(_ product: String, vendorID: UInt16) -> Bool {
    let words = DeviceText.words(product)
    guard !words.contains(where: { modemWords.contains($0) }) else { return false }
    if words.contains("gps") || words.contains("gnss") { return true }
    // u-blox makes modems and radios too, under its own vendor id: there its name alone says nothing.
    guard vendorID != uBloxVendorID else { return false }
    return words.contains("ublox") || zip(words, words.dropFirst()).contains { $0 == "u" && $1 == "blox" }
  }

  private static let uBloxVendorID: UInt16 = 0x1546

  /// Words of a product string that is not, or not only, a receiver. The udev rules look for them as parts of words.
  package static let modemWords: Set<String> = [
    "modem", "mobile", "broadband", "cellular", "wireless", "wwan", "gsm", "gprs", "umts", "wcdma", "cdma", "evdo",
    "hspa",
    "lte", "3g", "4g", "5g", "phone", "bluetooth",
  ]
}
