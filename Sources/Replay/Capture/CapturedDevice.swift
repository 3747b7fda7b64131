/// What a capture keeps of a device, so that a replay can treat it as the same one.
///
/// Strings come from the device: they are escaped in the file and bounded by its line length, and otherwise hostile.
package struct CapturedDevice: Hashable, Sendable {
  /// Where it was, e.g. `/dev/ttyACM0`.
  package var path: String
  /// USB vendor and product.
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  package var manufacturer: String?
  package var product: String?
  /// The USB serial number.
  package var serial: String?
  /// Line speed in bits per second at that moment.
  package var baud: Int?

  /// A device of which only the place is known.
  package init(path: String) { self.path = path }
}
