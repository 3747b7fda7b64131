import Foundation
import LinuxDevices
import TestSupport
import Testing

/// The rules file, checked against udev(7) and against the catalog.
@Suite struct UdevRulesTests {
  private let rules: UdevRules

  init() throws { rules = try UdevRules() }

  /// The name of a device from this package's hwdb is the name in the catalog.
  @Test(.enabled(if: UdevHardwareDatabase.isAvailable, "needs systemd-hwdb"))
  func theHardwareDatabaseNamesThem() throws {
    let database = try UdevHardwareDatabase()
    for entry in ReceiverCatalog.receivers {
      #expect(try database.properties(of: entry.usb) == ["ID_MODEL_FROM_DATABASE": entry.name])
    }
    #expect(try database.properties(of: USBIdentity(vendorID: 0x10C4, productID: 0xEA60)) == [:])
  }

  @Test func itListsTheCataloguesReceivers() {
    let listed = rules.identities(leadingTo: "swift_corelocation_receiver")
    #expect(Set(listed).count == listed.count)
    #expect(Set(listed) == Set(ReceiverCatalog.receivers.map { "\($0.usb)" }))
  }

  @Test func itLeavesTheSameModemMakersAlone() throws {
    let vendors = try #require(
      rules.rules.joined().first { $0.attribute == "ID_VENDOR_ID" && $0.value.contains("|") })
    let listed = vendors.value.split(separator: "|").map(String.init)
    #expect(
      Set(listed)
        == Set(
          ReceiverCatalog.modemVendors.map { "\(USBIdentity(vendorID: $0, productID: 0))".prefix(4) }.map(String.init)))
    #expect(listed == listed.sorted())
  }

  /// A keyword that makes the catalog doubt a receiver must make the rules doubt it, too, because they take precedence.
  @Test func itDoubtsWhatTheCatalogueDoubts() throws {
    let doubts = try #require(
      rules.rules.joined().first { $0.attribute == "ID_MODEL" && $0.value.contains("[Mm][Oo][Dd][Ee][Mm]") })
    // `*[Ll][Tt][Ee]*` matches any name that contains `lte`.
    let parts = doubts.value.split(separator: "|").map { $0.filter(\.isLowercase) }
    for word in ReceiverCatalog.modemKeywords where !["3g", "4g", "5g"].contains(word) {
      #expect(parts.contains { !$0.isEmpty && word.contains($0) }, "\(word)")
    }
    #expect(doubts.value.split(separator: "|").contains("*[345][Gg]*"))
  }

  @Test func everyLabelExistsAndNoProgramIsRun() {
    let terms = rules.rules.joined()
    let labels = Set(terms.filter { $0.key == "LABEL" }.map(\.value))
    let targets = Set(terms.filter { $0.key == "GOTO" }.map(\.value))
    #expect(labels == targets)
    #expect(!terms.contains { ["RUN", "PROGRAM"].contains($0.key) })
    #expect(terms.filter { $0.key == "IMPORT" }.allSatisfy { $0.attribute == "builtin" })
  }

  @Test(.enabled(if: Self.udevadmVerifies, "udevadm is older than systemd 254 and has no verify"))
  func udevadmAcceptsIt() throws {
    let result = try Command("/usr/bin/udevadm", ["verify", UdevRules.path])
    #expect(result.status == 0, "\(result.output)")
  }

  private static let udevadmVerifies = (try? Command("/usr/bin/udevadm", ["verify", "--help"]))?.status == 0
}

/// The rules applied by udev, with the distribution's own rules before and after them, to devices in umockdev's test bed.
@Suite(
  .enabled(if: DeviceBed.isInstalled, "umockdev is not installed: apt-get install umockdev"),
  .enabled(if: PrivateUdev.isAvailable, "needs udevadm, and unshare with the right to mount"))
struct UdevRulesInTheBedTests {
  private let bed: DeviceBed

  init() throws { bed = try DeviceBed() }

  private func properties(_ port: BedPort, usbDevice: Bool = false) throws -> [String: String] {
    try bed.add(port)
    return try PrivateUdev(bed: bed).properties(of: usbDevice ? port.usbFolder : port.folder)
  }

  @Test func aReceiverIsTaggedAndNamed() throws {
    let port = BedPort(
      name: "ttyACM0", minor: 0, vendor: "1546", product: "01a7", strings: ["product": "u-blox 7 - GPS/GNSS Receiver"])
    let found = try properties(port)
    #expect(found["ID_GNSS_RECEIVER"] == "1")
    #expect(found["ID_MM_PORT_IGNORE"] == "1")
    #expect(found["TAGS"]?.contains(":swift-corelocation:") == true)
    #expect(found["DEVLINKS"]?.contains("/dev/gnss/usb-1546_u-blox_7_-_GPS_GNSS_Receiver-if00") == true)
  }

  @Test func itsUSBDeviceIsKeptFromModemManager() throws {
    let port = BedPort(name: "ttyACM0", minor: 0, vendor: "1546", product: "01a8")
    #expect(try properties(port, usbDevice: true)["ID_MM_DEVICE_IGNORE"] == "1")
  }

  @Test func aProductStringThatNamesAReceiverIsEnough() throws {
    let port = BedPort(
      name: "ttyUSB0", minor: 0, vendor: "10c4", product: "ea60", strings: ["product": "Acme GPS Receiver"])
    #expect(try properties(port)["ID_GNSS_RECEIVER"] == "1")
  }

  /// With an entry in `/etc/udev/hwdb.d/`, for the port and for the whole USB device.
  @Test(.enabled(if: UdevHardwareDatabase.isAvailable, "needs systemd-hwdb"))
  func trustMakesAnAdapterAReceiver() throws {
    let port = BedPort(
      name: "ttyUSB0", minor: 0, vendor: "10c4", product: "ea60", strings: ["product": "CP2102 USB to UART Bridge"])
    try bed.add(port)
    let udev = PrivateUdev(bed: bed, hardwareDatabase: "usb:v10C4pEA60*\n ID_GNSS_RECEIVER=1\n")
    let found = try udev.properties(of: port.folder)
    #expect(found["ID_GNSS_RECEIVER"] == "1")
    #expect(found["TAGS"]?.contains(":swift-corelocation:") == true)
    #expect(try udev.properties(of: port.usbFolder)["ID_MM_DEVICE_IGNORE"] == "1")
  }

  @Test(arguments: [
    ("2c7c", "0125", "EC25 GNSS"), ("1546", "1141", "u-blox GNSS"), ("1546", "0503", "C099 GNSS"),
    ("10c4", "ea60", "CP2102 USB to UART Bridge Controller"), ("10c4", "ea60", "GPSmap"), ("1234", "5678", "LTE GNSS"),
    ("0557", "2008", "USB-Serial Controller"),
  ])
  func modemsAndAdaptersAreLeftAlone(vendor: String, product: String, name: String) throws {
    let port = BedPort(name: "ttyUSB0", minor: 0, vendor: vendor, product: product, strings: ["product": name])
    let found = try properties(port)
    #expect(found["ID_MODEL"] != nil)
    #expect(found["ID_GNSS_RECEIVER"] == nil)
    #expect(found["ID_MM_PORT_IGNORE"] == nil)
    #expect(found["TAGS"]?.contains("swift-corelocation") != true)
    let device = try PrivateUdev(bed: bed).properties(of: port.usbFolder)
    #expect(device["ID_MM_DEVICE_IGNORE"] == nil)
  }
}
