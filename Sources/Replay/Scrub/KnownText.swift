/// The beginnings of what receivers say of themselves when they are switched on.
enum KnownText {
  private static let beginnings: [[UInt8]] = [
    "ANTSTATUS=", "ANTSUPERV=", "ANTENNA ", "HW UBX", "ROM ", "EXT CORE", "PROTVER", "FWVER=", "MOD=", "GNSS OTP",
    "LLC ",
    "PF=", "GPS;", "FIS ", "u-blox ", "SIMULATED", "IC=", "SW=", "TB=", "MO=", "Starting GNSS", "Stopping GNSS",
    "txbuf alloc", "ANT_OK", "ANT_OPEN", "ANT_SHORT",
  ].map { Array($0.utf8) }

  static func contains(_ text: some Collection<UInt8>) -> Bool {
    isHarmless(text) && beginnings.contains { text.starts(with: $0) }
  }

  /// Whether no number in it could be a coordinate: versions have two decimals at most.
  static func isHarmless(_ text: some Collection<UInt8>) -> Bool {
    var decimals: Int?
    for byte in text {
      switch byte {
      case UInt8(ascii: "."): decimals = 0
      case 0x30...0x39: decimals = decimals.map { $0 + 1 }
      default: decimals = nil
      }
      if decimals == 3 { return false }
    }
    return true
  }
}
