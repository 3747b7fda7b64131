import LocationIPC
import LocationReplay
import LocationdService

/// Conversions between a capture's and the core's description of a device.
extension CapturedDevice {
  /// A capture's description of a device whose port has `baud`; the serial number is left out for privacy.
  init(_ detectedDevice: DetectedDevice, baud: Int?) {
    self.init(path: detectedDevice.path)
    usbVendorID = detectedDevice.usbVendorID
    usbProductID = detectedDevice.usbProductID
    manufacturer = detectedDevice.manufacturer
    product = detectedDevice.product
    self.baud = detectedDevice.hasLineSpeed ? baud : nil
  }
}

extension DetectedDevice {
  /// A receiver whose output is only read, because another program has its port or the output is in a recording. If
  /// `device` is `nil`, only its path is known.
  init(received device: CapturedDevice?, id: String, path: String) {
    self.init(id: id, path: path, kind: .receiver)
    usbVendorID = device?.usbVendorID
    usbProductID = device?.usbProductID
    manufacturer = device?.manufacturer
    product = device?.product
    hasLineSpeed = false
    mayPoll = false
  }
}
