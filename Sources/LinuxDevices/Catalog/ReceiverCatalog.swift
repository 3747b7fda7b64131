/// Decides from a device's description whether it is certainly a receiver.
///
/// It never guesses: opening the wrong device may reset another board.
package enum ReceiverCatalog {
  /// The facts for the decision, with sanitized strings.
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
    // The system's administrator wrote the udev rule, so it overrides the tables below.
    if evidence.isTaggedReceiver { return .receiver(.udevProperty) }
    guard let usb = evidence.usb else { return .adapter }
    if let entry = lookalikes.first(where: { $0.usb == usb }) {
      return .ignored(.notAReceiver(name: entry.name))
    }
    if modemVendors.contains(usb.vendorID) || usb.vendorID == uBloxVendorID && usb.productID >= firstUBloxModem {
      return .ignored(.modem)
    }
    if let product = evidence.product, namesReceiver(product, vendorID: usb.vendorID) {
      return .receiver(.productString)
    }
    return .adapter
  }

  /// Whether a product string names a receiver and not a modem.
  private static func namesReceiver(_ product: String, vendorID: UInt16) -> Bool {
    let words = DeviceText.words(product)
    guard !words.contains(where: { modemKeywords.contains($0) }) else { return false }
    if words.contains("gps") || words.contains("gnss") { return true }
    // u-blox also makes modems and radios under its own vendor ID; therefore its name proves nothing there.
    guard vendorID != uBloxVendorID else { return false }
    return words.contains("ublox") || zip(words, words.dropFirst()).contains { $0 == "u" && $1 == "blox" }
  }

  private static let uBloxVendorID: UInt16 = 0x1546

  /// Words in product strings of devices that are not receivers, or not only receivers. The udev rules also match them
  /// within words.
  package static let modemKeywords: Set<String> = [
    "modem", "mobile", "broadband", "cellular", "wireless", "wwan", "gsm", "gprs", "umts", "wcdma", "cdma", "evdo",
    "hspa",
    "lte", "3g", "4g", "5g", "phone", "bluetooth",
  ]
}

extension ReceiverCatalog {
  /// One entry of the catalog.
  package struct Entry: Hashable, Sendable {
    package var usb: USBIdentity
    package var name: String

    init(_ vendorID: UInt16, _ productID: UInt16, _ name: String) {
      self.usb = USBIdentity(vendorID: vendorID, productID: productID)
      self.name = name
    }
  }

  /// VID:PIDs that only receivers have. Sources: the usb.ids list, the Linux drivers named after each entry, gpsd's udev
  /// rules, vendors' documents. `udev/60-swift-corelocation.rules` contains the same list; a test compares them.
  package static let receivers: [Entry] = [
    Entry(0x1546, 0x01A4, "u-blox ANTARIS 4"),  // cdc_acm
    Entry(0x1546, 0x01A5, "u-blox 5"),  // cdc_acm
    Entry(0x1546, 0x01A6, "u-blox 6"),  // cdc_acm
    Entry(0x1546, 0x01A7, "u-blox 7"),  // cdc_acm
    Entry(0x1546, 0x01A8, "u-blox 8"),  // cdc_acm
    Entry(0x1546, 0x01A9, "u-blox 9"),  // cdc_acm
    Entry(0x1546, 0x01AB, "u-blox X20"),  // cdc_acm
    Entry(0x1546, 0x0502, "u-blox C099-F9P, UART of the receiver"),  // ftdi_sio_ids.h: UBLOX_C099F9P_ZED_PID
    Entry(0x1546, 0x0506, "u-blox EVK-M101, UART of the receiver"),  // ftdi_sio, interface 2 only
    Entry(0x091E, 0x0003, "Garmin GPS"),  // garmin_gps
    Entry(0x0E8D, 0x3329, "MediaTek MT3329"),  // cdc_acm
    Entry(0x1163, 0x0100, "DeLorme Earthmate"),  // cypress_m8
    Entry(0x1163, 0x0200, "DeLorme Earthmate LT-20/LT-40"),  // cypress_m8
    Entry(0x067B, 0xAAA0, "PS-360 OEM"),  // pl2303
    Entry(0x09D7, 0x0100, "NovAtel GPS/GNSS/SPAN"),  // usb-serial-simple (novatel_gps)
    Entry(0x152A, 0x85C0, "Septentrio"),  // cdc_acm
  ]

  /// VID:PIDs similar to those of a receiver that belong to other devices.
  static let lookalikes: [Entry] = [
    // The radio on the same board, with its own port (ftdi_sio_ids.h: UBLOX_C099F9P_ODIN_PID).
    Entry(0x1546, 0x0503, "u-blox C099-F9P, port of the ODIN-W2 radio")
  ]

  /// Lowest product ID of u-blox's cellular modules (the kernel's option and qmi_wwan: 1546:1146, 1312, 1342).
  static let firstUBloxModem: UInt16 = 0x1000

  /// Vendors whose serial ports are cellular modems. Some contain a receiver, but ModemManager uses those ports.
  package static let modemVendors: Set<UInt16> = [
    0x05C6,  // Qualcomm
    0x1199,  // Sierra Wireless
    0x2C7C,  // Quectel
    0x12D1,  // Huawei
    0x19D2,  // ZTE
    0x1BC7,  // Telit
    0x1E0E,  // SIMCom and others with Qualcomm chips
    0x1E2D,  // Cinterion, Gemalto, Thales
    0x0BDB,  // Ericsson
    0x413C,  // Dell's branded modems
    0x1410,  // Novatel Wireless
    0x2CB7,  // Fibocom
    0x1508,  // Fibocom
    0x8087,  // Intel
    0x1519,  // Comneon, Intel
    0x0AF0,  // Option
    0x106C,  // Curitel, Pantech
    0x0681,  // Siemens
    0x0489,  // Foxconn
    0x1782,  // Spreadtrum, Unisoc
    0x03F0,  // HP's branded modems
    0x1435,  // Wistron NeWeb
    0x1BBB,  // Alcatel, TCL
    0x1C9E,  // Longcheer
    0x2020,  // BroadMobi
    0x2DEE,  // MeiG
    0x33F8,  // Rolling Wireless
  ]
}

/// A USB device's vendor and product ID, from its device descriptor (USB 2.0 §9.6.1: idVendor, idProduct).
package struct USBIdentity: Hashable, Sendable {
  package var vendorID: UInt16
  package var productID: UInt16

  package init(vendorID: UInt16, productID: UInt16) {
    self.vendorID = vendorID
    self.productID = productID
  }
}

extension USBIdentity: CustomStringConvertible {
  /// In lsusb's form: `1546:01a7`.
  package var description: String {
    "\(HexText.digits4(vendorID)):\(HexText.digits4(productID))"
  }
}

/// Whether a device may be opened without the user's request. Opening moves DTR and RTS, which resets some boards.
package enum DeviceClassification: Hashable, Sendable {
  /// Certainly a receiver: opened automatically.
  case receiver(ReceiverReason)
  /// Unknown device: opened only if it is trusted, or if the user names its path.
  case adapter
  /// Not offered as a source. A user may still name its path, or trust it.
  case ignored(IgnoredReason)
}

/// Why a device is certainly a receiver.
package enum ReceiverReason: Hashable, Sendable {
  /// Its VID:PID is in the catalog, under this name.
  case catalogue(name: String)
  /// Its product string names a receiver.
  case productString
  /// The kernel's `gnss` subsystem drives it.
  case gnssSubsystem
  /// A udev rule set `ID_GNSS_RECEIVER=1`.
  case udevProperty
}

/// Why a device is not offered as a source.
package enum IgnoredReason: Hashable, Sendable {
  /// A cellular modem's port, which belongs to ModemManager even if the modem contains a receiver.
  case modem
  /// Its VID:PID is in the catalog as another device, under this name.
  case notAReceiver(name: String)
}
