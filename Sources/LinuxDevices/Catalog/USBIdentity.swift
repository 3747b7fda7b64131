/// A USB device's vendor and product, as its device descriptor says (USB 2.0 §9.6.1: idVendor, idProduct).
package struct USBIdentity: Hashable, Sendable {
  package var vendorID: UInt16
  package var productID: UInt16

  package init(vendorID: UInt16, productID: UInt16) {
    self.vendorID = vendorID
    self.productID = productID
  }
}

extension USBIdentity: CustomStringConvertible {
  /// As lsusb writes it: `1546:01a7`.
  package var description: String {
    "\(HexText.digits4(vendorID)):\(HexText.digits4(productID))"
  }
}
