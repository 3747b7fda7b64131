/// Settings: read and written one at a time, into RAM alone, so that unplugging the receiver undoes them.
extension UBXFrame {
  /// Polls the settings of the port that is written to: UBX-CFG-PRT (0x06 0x00).
  package static var pollPort: [UInt8] { encode(class: 0x06, id: 0x00) }
  /// Polls how often a message is said on each port: UBX-CFG-MSG (0x06 0x01).
  package static func pollOutput(class messageClass: UInt8, id: UInt8) -> [UInt8] {
    encode(class: 0x06, id: 0x01, payload: [messageClass, id])
  }
  /// Polls the measurement rate: UBX-CFG-RATE (0x06 0x08).
  package static var pollRate: [UInt8] { encode(class: 0x06, id: 0x08) }
  /// Polls the navigation engine's settings: UBX-CFG-NAV5 (0x06 0x24).
  package static var pollNavigationEngine: [UInt8] { encode(class: 0x06, id: 0x24) }

  /// Polls the value of a key as it is in RAM: UBX-CFG-VALGET (0x06 0x8B), version 0, layer 0.
  package static func pollValue(of key: UInt32) -> [UInt8] {
    encode(class: 0x06, id: 0x8B, payload: [0, 0, 0, 0] + littleEndian(key))
  }

  /// Sets a key in RAM: UBX-CFG-VALSET (0x06 0x8A), version 0, layer 1.
  package static func setValue(of key: UInt32, to value: [UInt8]) -> [UInt8] {
    encode(class: 0x06, id: 0x8A, payload: [0, 1, 0, 0] + littleEndian(key) + value)
  }

  /// A number as UBX writes it.
  package static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
  }
}
