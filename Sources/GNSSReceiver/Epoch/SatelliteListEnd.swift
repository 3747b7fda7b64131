import WireFormats

/// Tells which satellite of a UBX list is its last: that one may end an epoch, as its head cannot, which comes before them.
struct SatelliteListEnd: Sendable {
  private var satellitesToCome = 0
  private var type: UInt32 = 0

  /// The signature of the whole list, with its last message.
  mutating func signature(at message: WireMessage) -> CycleEnd.Signature? {
    switch message {
    case .ubx(.navSAT(let list)): begin(0x0135, list)
    case .ubx(.navSVINFO(let list)): begin(0x0130, list)
    case .ubx(.navSatellite): satellitesToCome -= 1
    case .ubx, .nmea: return nil
    }
    guard satellitesToCome == 0 else { return nil }
    return CycleEnd.Signature(type: type, detail: 0, occurrence: 0)
  }

  private mutating func begin(_ type: UInt32, _ list: NavSatelliteList) {
    self.type = type
    satellitesToCome = Int(list.count)
  }
}
