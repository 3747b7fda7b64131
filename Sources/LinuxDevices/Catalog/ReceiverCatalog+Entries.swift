extension ReceiverCatalog {
  /// One line of the catalogue.
  package struct Entry: Hashable, Sendable {
    package var usb: USBIdentity
    package var name: String

    init(_ vendorID: UInt16, _ productID: UInt16, _ name: String) {
      self.usb = USBIdentity(vendorID: vendorID, productID: productID)
      self.name = name
    }
  }

  /// VID:PIDs that only receivers have. Sources: the usb.ids list, the Linux drivers named behind each line, gpsd's
  /// udev rules, vendors' documents. `udev/60-swift-corelocation.rules` lists the same; a test compares them.
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

  /// VID:PIDs beside a receiver's that are something else.
  static let lookalikes: [Entry] = [
    // The same board's radio, on a port of its own (ftdi_sio_ids.h: UBLOX_C099F9P_ODIN_PID).
    Entry(0x1546, 0x0503, "u-blox C099-F9P, port of the ODIN-W2 radio")
  ]

  /// u-blox numbers its cellular modules from here on (the kernel's option and qmi_wwan: 1546:1146, 1312, 1342).
  static let firstUBloxModem: UInt16 = 0x1000

  /// Vendors whose serial ports are cellular modems. Some have a receiver inside; ModemManager has those ports.
  package static let modemVendors: Set<UInt16> = [
    0x05C6,  // Qualcomm
    0x1199,  // Sierra Wireless
    0x2C7C,  // Quectel
    0x12D1,  // Huawei
    0x19D2,  // ZTE
    0x1BC7,  // Telit
    0x1E0E,  // SIMCom and others on Qualcomm's
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
