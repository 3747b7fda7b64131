/// Names a receiver's data where they are kept. Entries of a navigation database are meant for the receiver that told them
/// alone (UBX-18010854, UBX-MGA-DBD): its own number, else the hardware it hangs on with its firmware.
package struct ReceiverKey: Hashable, Sendable {
  /// Letters, digits and hyphens, at most `maximumLength`: fit for a file's name.
  package let text: String

  /// Of anything longer the end counts.
  static let maximumLength = 100

  /// A key of any text; what is not a letter or a digit of ASCII becomes a hyphen.
  package init(_ text: String) {
    let bytes = text.utf8.suffix(Self.maximumLength).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// The key of a receiver; `nil` where nothing tells it from another.
  init?(_ identity: ReceiverIdentity, hardware: String?) {
    if let number = identity.uniqueID {
      self.init("ublox-\(number)")
    } else if let hardware, let firmware = identity.firmware {
      self.init("\(hardware)-\(firmware)")
    } else {
      return nil
    }
  }
}
