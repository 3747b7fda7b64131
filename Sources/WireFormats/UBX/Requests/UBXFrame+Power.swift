/// What makes a receiver save power.
extension UBXFrame {
  /// Puts the receiver to sleep: UBX-RXM-PMREQ (0x02 0x41).
  ///
  /// - Parameters:
  ///   - milliseconds: for so long; 0: until it is woken, which any byte on its UART does.
  ///   - isLegacy: the 8-byte form of generations 5 to 7.
  package static func backup(milliseconds: UInt32, isLegacy: Bool) -> [UInt8] {
    // Bit 1: backup.
    let request = littleEndian(milliseconds) + littleEndian(UInt32(1 << 1))
    // Version 0; wake up by the UART's line (bit 3).
    let payload = isLegacy ? request : [0, 0, 0, 0] + request + littleEndian(UInt32(1 << 3))
    return encode(class: 0x02, id: 0x41, payload: payload)
  }

  /// Wakes a receiver that sleeps: an edge on its line is enough, and this byte is part of no message.
  package static let wakeUp: [UInt8] = [0xFF]

  /// Polls the power management's settings: UBX-CFG-PM2 (0x06 0x3B).
  package static var pollPowerManagement: [UInt8] { encode(class: 0x06, id: 0x3B) }
  /// Polls the power mode: UBX-CFG-RXM (0x06 0x11).
  package static var pollPowerMode: [UInt8] { encode(class: 0x06, id: 0x11) }
}
