extension DeviceDescription: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, id)
    message.put(2, path)
    message.put(3, usbVendorID.map(UInt64.init))
    message.put(4, usbProductID.map(UInt64.init))
    message.put(5, product)
    message.put(6, chip)
    message.put(7, firmware)
    message.put(8, protocolName)
    message.put(9, baud.map { UInt64(clamping: $0) })
    message.put(10, kind)
    message.put(11, state)
    message.put(12, owner)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      id: try fields.text(1).required(1), path: try fields.text(2).required(2), kind: try fields.code(10).required(10),
      state: try fields.code(11).required(11))
    usbVendorID = try fields.integer(3)
    usbProductID = try fields.integer(4)
    product = try fields.text(5)
    chip = try fields.text(6)
    firmware = try fields.text(7)
    protocolName = try fields.text(8)
    baud = try fields.integer(9)
    owner = try fields.code(12)
  }
}
