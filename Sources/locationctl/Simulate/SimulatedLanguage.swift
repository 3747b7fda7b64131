import Replay

/// What a simulated receiver speaks.
enum SimulatedLanguage: String, CaseIterable {
  case nmea, ubx

  /// Of the receivers on sale.
  var dialect: Dialect {
    switch self {
    case .nmea: .nmea411
    case .ubx: .ublox9
    }
  }
}
