import Beacons
import HeadingSources

/// Advertisements of Bluetooth devices and readings of magnetometers: any bytes are decoded or rejected, and a decoded beacon that
/// is encoded again is the same.
func checkAdvertisements(_ bytes: [UInt8]) {
  let span = bytes.span
  if let found = BeaconAdvertisement(span) {
    let again = [0x1A, 0xFF] + found.identity.manufacturerData(powerAtOneMeter: found.powerAtOneMeter ?? 0)
    let decoded = BeaconAdvertisement(again.span)
    precondition(decoded?.identity.uuid == found.identity.uuid && decoded?.identity.minor == found.identity.minor)
    precondition(decoded?.powerAtOneMeter == found.powerAtOneMeter)
  }
  for chip in MagnetometerChip.known {
    let field = chip.microtesla(in: span)
    precondition(field.map { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite } ?? true)
  }
}
