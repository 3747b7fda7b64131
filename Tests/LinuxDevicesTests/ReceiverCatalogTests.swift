import LinuxDevices
import Testing

@Suite struct ReceiverCatalogTests {
  private func classify(
    _ vendorID: UInt16, _ productID: UInt16, _ product: String? = nil, subsystem: DeviceSubsystem = .tty
  ) -> DeviceClassification {
    ReceiverCatalog.classify(
      ReceiverCatalog.Evidence(
        subsystem: subsystem, usb: USBIdentity(vendorID: vendorID, productID: productID), product: product))
  }

  @Test func everyEntryIsAReceiverAndStandsOnce() {
    for entry in ReceiverCatalog.receivers {
      #expect(
        classify(entry.usb.vendorID, entry.usb.productID) == .receiver(.catalogue(name: entry.name)), "\(entry.usb)")
    }
    #expect(Set(ReceiverCatalog.receivers.map(\.usb)).count == ReceiverCatalog.receivers.count)
  }

  @Test(arguments: [
    (0x10C4, 0xEA60, "CP2102 USB to UART Bridge Controller"),
    (0x10C4, 0xEA70, "CP2105 Dual USB to UART Bridge Controller"),
    (0x1A86, 0x7523, "USB Serial"), (0x1A86, 0x55D4, "USB Single Serial"), (0x0403, 0x6001, "FT232R USB UART"),
    (0x0403, 0x6015, "FT230X Basic UART"), (0x067B, 0x2303, "USB-Serial Controller"),
    (0x067B, 0x23A3, "USB-Serial Controller"), (0x0557, 0x2008, "USB-Serial Controller"),
    (0x2341, 0x0043, "Arduino Uno"),
    (0x0E8D, 0x0003, "MT65xx Preloader"),
  ])
  func generalAdaptersWaitToBeTrusted(vendorID: UInt16, productID: UInt16, product: String) {
    #expect(classify(vendorID, productID, product) == .adapter)
  }

  @Test(arguments: ["u-blox GNSS receiver", "USB GPS", "GNSS Receiver v2", "ublox M10", "MTK GPS Receiver", "gps"])
  func aProductStringThatNamesAReceiverIsEnough(product: String) {
    #expect(classify(0x10C4, 0xEA60, product) == .receiver(.productString))
  }

  @Test(arguments: [
    "GPSmap", "Agnss", "LTE Modem with GNSS", "Mobile Broadband Minicard GPS Port", "GSM GPS tracker", "u blo x",
    "5G module GNSS",
  ])
  func aSimilarWordIsNotEnough(product: String) {
    #expect(classify(0x10C4, 0xEA60, product) == .adapter)
  }

  @Test(arguments: [0x05C6, 0x1199, 0x2C7C, 0x12D1, 0x1BC7, 0x1E0E] as [UInt16])
  func aModemIsIgnoredThoughItHasAReceiverInside(vendorID: UInt16) {
    #expect(classify(vendorID, 0x0125, "EC25 GNSS") == .ignored(.modem))
    // The kernel's gnss subsystem has no AT ports: each device in it is a receiver, whoever made it.
    #expect(classify(vendorID, 0x0125, subsystem: .gnss) == .receiver(.gnssSubsystem))
  }

  @Test func uBloxMakesModemsAndRadiosToo() {
    #expect(classify(0x1546, 0x1141, "u-blox Modem") == .ignored(.modem))
    #expect(classify(0x1546, 0x1102, "u-blox GNSS") == .ignored(.modem))
    #expect(classify(0x1546, 0x01FF, "u-blox") == .adapter)
    #expect(classify(0x1546, 0x01FF, "u-blox GNSS receiver") == .receiver(.productString))
    #expect(
      classify(0x1546, 0x0503, "C099 GNSS")
        == .ignored(.notAReceiver(name: "u-blox C099-F9P, port of the ODIN-W2 radio")))
  }

  @Test func theOwnersRuleOutranksTheTables() {
    var evidence = ReceiverCatalog.Evidence(subsystem: .tty, usb: USBIdentity(vendorID: 0x2C7C, productID: 0x0125))
    evidence.isTaggedReceiver = true
    #expect(ReceiverCatalog.classify(evidence) == .receiver(.udevProperty))
  }

  @Test func aUARTIsAnAdapter() {
    #expect(ReceiverCatalog.classify(ReceiverCatalog.Evidence(subsystem: .tty)) == .adapter)
  }
}
