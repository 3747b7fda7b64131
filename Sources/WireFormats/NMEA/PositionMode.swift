/// The mode indicator of RMC, GLL, VTG, GNS (NMEA 0183 2.3 on; 4.11 adds F, R, P).
package enum PositionMode: UInt8, Hashable, Sendable {
  case autonomous = 0x41  // A
  case differential = 0x44  // D
  case estimated = 0x45  // E
  case rtkFloat = 0x46  // F
  case manual = 0x4D  // M
  case invalid = 0x4E  // N
  case precise = 0x50  // P
  case rtkFixed = 0x52  // R
  case simulator = 0x53  // S
  /// "Caution" of THS and of some makers' RMC.
  case caution = 0x43  // C
  case unsafe = 0x55  // U
  case valid = 0x56  // V
}
