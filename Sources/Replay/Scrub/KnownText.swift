/// The beginnings of what receivers say of themselves when they are switched on.
enum KnownText {
  private static let beginnings: [[UInt8]] = [
    "ANTSTATUS=", "ANTSUPERV=", "ANTENNA ", "HW UBX", "ROM ", "EXT CORE", "PROTVER", "FWVER=", "MOD=", "GNSS OTP",
    "LLC ",
    "PF=", "GPS;", "FIS ", "u-blox ", "SIMULATED", "IC=", "SW=", "TB=", "MO=", "Starting GNSS", "Stopping GNSS",
    "txbuf alloc", "ANT_OK", "ANT_OPEN", "ANT_SHORT",
  ].map { Array($0.utf8) }

  static func contains(_ text: some Collection<UInt8>) -> Bool {
    beginnings.contains { text.starts(with: $0) }
  }
}
