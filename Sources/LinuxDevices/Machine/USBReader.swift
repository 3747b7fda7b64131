internal import Diagnosis

/// USB devices: the receivers, with a driver or without, and the location of each port.
struct USBReader {
  private static let maximumDevices = 256
  private static let maximumInterfaces = 32
  private static let bus = "/sys/bus/usb/devices"

  let tree: FileTree
  /// Locations ("1-1.4") by the names of their ports (`ttyUSB0`).
  let places: [String: String]
  let receivers: [USBReceiverFacts]

  init(tree: FileTree) {
    self.tree = tree
    var places: [String: String] = [:]
    var receivers: [USBReceiverFacts] = []
    let devices = tree.names(in: Self.bus).filter { !$0.contains(":") && $0.first?.isNumber == true }
    for place in devices.prefix(Self.maximumDevices) {
      let ports = Self.ports(of: place, tree)
      for port in ports { places[port] = place }
      if var receiver = Self.receiver(at: place, tree) {
        receiver.ports = ports
        receiver.hasNode = ports.contains { tree.isCharacterDevice("/dev/" + $0) }
        receivers.append(receiver)
      }
    }
    self.places = places
    self.receivers = receivers
  }

  private static func receiver(at place: String, _ tree: FileTree) -> USBReceiverFacts? {
    let folder = "\(bus)/\(place)"
    guard let vendor = tree.text(of: folder + "/idVendor", limit: 8).flatMap(HexText.value),
      let product = tree.text(of: folder + "/idProduct", limit: 8).flatMap(HexText.value)
    else { return nil }
    let usb = USBIdentity(vendorID: vendor, productID: product)
    let text = tree.bytes(of: folder + "/product", limit: 256).flatMap { DeviceText.sanitized($0) }
    var name = text ?? "GNSS receiver"
    switch ReceiverCatalog.classify(ReceiverCatalog.Evidence(subsystem: .tty, usb: usb, product: text)) {
    case .receiver(.catalogue(let known)): name = known
    case .receiver: break
    case .adapter, .ignored: return nil
    }
    var facts = USBReceiverFacts(place: place, identity: usb.description, name: name)
    facts.isAuthorized = tree.text(of: folder + "/authorized", limit: 4) != "0"
    facts.driver = driver(of: usb)
    return facts
  }

  /// The device's kernel driver, as named in `ReceiverCatalog.receivers`.
  private static func driver(of usb: USBIdentity) -> String {
    switch (usb.vendorID, usb.productID) {
    case (0x1546, 0x0502), (0x1546, 0x0506), (0x0403, _): "ftdi_sio"
    case (0x091E, _): "garmin_gps"
    case (0x1163, _): "cypress_m8"
    case (0x067B, _): "pl2303"
    case (0x09D7, _): "usb_serial_simple"
    case (0x10C4, _): "cp210x"
    case (0x1A86, _): "ch341"
    default: "cdc_acm"
    }
  }

  /// The ports of a device: `…/1-1.4:1.0/tty/ttyACM0` of cdc_acm, `…/1-1.4:1.0/ttyUSB0` of usb-serial,
  /// `…/1-1.4:1.0/gnss/gnss0`.
  private static func ports(of place: String, _ tree: FileTree) -> [String] {
    let folder = "\(bus)/\(place)"
    return tree.names(in: folder).filter { $0.hasPrefix(place + ":") }.prefix(maximumInterfaces).flatMap { interface in
      let inside = "\(folder)/\(interface)"
      let below = tree.names(in: inside + "/tty") + tree.names(in: inside + "/gnss")
      let beside = tree.names(in: inside).filter { $0.hasPrefix("ttyUSB") }
      return (below + beside).filter {
        DeviceReader.isCandidate($0, subsystem: $0.hasPrefix("gnss") ? .gnss : .tty)
      }
    }
  }
}
