package import Geodesy

extension WallClock {
  /// The system's clock, if it has been set since power-on.
  package static var believable: GNSSTime? {
    let reading = now()
    return reading.isBelievable(after: BuildDate.date) ? reading : nil
  }
}
