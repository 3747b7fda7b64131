import WireFormats

/// Builds one UBX message: little-endian fields in the order of the interface description.
struct UBXFrameBuilder: Sendable {
  private let messageClass: UInt8
  private let id: UInt8
  private var payload: [UInt8] = []

  init(class messageClass: UInt8, id: UInt8) {
    self.messageClass = messageClass
    self.id = id
  }

  /// The whole frame.
  var bytes: [UInt8] { UBXFrame.encode(class: messageClass, id: id, payload: payload) }

  /// U1, U2, U4, I1, I2, I4 by the type of `value`.
  mutating func integer(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      payload.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// A quantity in units of the field's scale, rounded; beyond the field's range its nearest bound.
  mutating func scaled<Field: FixedWidthInteger>(_ value: Double, _: Field.Type) {
    let rounded = value.rounded()
    integer(Field(exactly: rounded) ?? (rounded > 0 ? .max : .min))
  }

  /// R4.
  mutating func real(_ value: Double) { integer(Float(value).bitPattern) }

  /// So many reserved bytes.
  mutating func reserved(_ count: Int) { payload += repeatElement(0, count: count) }

  /// Bytes as they are.
  mutating func raw(_ bytes: [UInt8]) { payload += bytes }

  /// CH: text filled with zeros to `width`.
  mutating func text(_ text: String, width: Int) {
    let bytes = text.utf8.prefix(width)
    payload += bytes
    reserved(width - bytes.count)
  }
}
