/// What a receiver has said about itself. Strings come from the device: printable ASCII, bounded by the decoder.
package struct ReceiverIdentity: Hashable, Sendable {
  /// Module or chip: `NEO-M9N`, `00080000` (a hardware version) where it names none.
  package var model: String?
  /// Firmware: `SPG 4.04`, `7.03 (45970)`.
  package var firmware: String?
  /// u-blox protocol version in hundredths: 2301 for 23.01.
  package var protocolVersionHundredths: Int?
  /// UBX-SEC-UNIQID in hexadecimal: the receiver's own serial number.
  package var uniqueID: String?
  /// Whether valid NMEA was heard.
  package var speaksNMEA = false
  /// Whether valid UBX was heard.
  package var speaksUBX = false

  /// Nothing said yet.
  package init() {}
}
