import LocationReplay

/// The protocol of a simulated receiver.
enum SimulatedLanguage: String, CaseIterable {
  case nmea, ubx

  /// The dialect of receivers now on sale.
  var dialect: Dialect {
    switch self {
    case .nmea: .nmea411
    case .ubx: .ublox9
    }
  }
}
