import LocationIPC
import LocationdService
import Replay

/// A device as a capture has it, and as the core knows it.
extension CapturedDevice {
  /// What a capture says of a device whose port has `baud`; its serial number is nobody's affair.
  init(_ sighting: DeviceSighting, baud: Int?) {
    self.init(path: sighting.path)
    usbVendorID = sighting.usbVendorID
    usbProductID = sighting.usbProductID
    manufacturer = sighting.manufacturer
    product = sighting.product
    self.baud = sighting.hasLineSpeed ? baud : nil
  }
}

extension DeviceSighting {
  /// A receiver that only is listened to: another has its port, or it is a recording's. `nil`: nothing is said of it but where
  /// it is.
  init(heard device: CapturedDevice?, id: String, path: String) {
    self.init(id: id, path: path, kind: .receiver)
    usbVendorID = device?.usbVendorID
    usbProductID = device?.usbProductID
    manufacturer = device?.manufacturer
    product = device?.product
    hasLineSpeed = false
    mayPoll = false
  }
}
