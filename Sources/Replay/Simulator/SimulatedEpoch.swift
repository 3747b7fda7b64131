package import Geodesy

/// What a simulated receiver measured at one epoch: all that its messages tell, and nothing that they do not.
struct SimulatedEpoch: Hashable, Sendable {
  /// Number since power-on, from 0.
  var index: Int
  /// UTC as it is told, errors included; `nil` before the receiver knows a time of day.
  var time: GNSSTime?
  /// Whether the date is told too.
  var knowsDate: Bool
  /// Whether the number of leap seconds has been heard.
  var knowsLeapSeconds: Bool
  /// GPS time minus UTC in seconds, as it is told.
  var leapSeconds: Int
  /// Time of week of GPS time in milliseconds, 0…604,799,999; the time since power-on before a time of day is known.
  var timeOfWeekMilliseconds: UInt32
  /// Week number of GPS time, as it is told.
  var week: Int16

  var solution: Solution
  /// Measured, errors included.
  var position: SimulatedPosition
  var geoidSeparation: Meters
  /// Measured velocity in metres per second.
  var velocityNorth: Double
  var velocityEast: Double
  var velocityDown: Double
  /// Measured; `nil` at rest.
  var course: Angle?

  /// Standard deviations of what was measured, in metres and metres per second.
  var horizontalDeviation: Double
  var verticalDeviation: Double
  var speedDeviation: Double

  var satellites: [SimulatedSatellite]
  /// How much worse than under an open sky the satellites stand.
  var dilutionFactor = 1.0
  /// Whether the output says that it is a simulation.
  var announcesSimulation: Bool

  /// What kind of position there is.
  enum Solution: Hashable, Sendable {
    case none, twoDimensional, threeDimensional
  }

  var heightAboveMeanSeaLevel: Meters { position.heightAboveEllipsoid - geoidSeparation }
  var speedMetersPerSecond: Double { (velocityNorth * velocityNorth + velocityEast * velocityEast).squareRoot() }
  var satellitesUsed: Int { satellites.count { $0.isUsed } }

  /// u-blox's `hAcc`: the root of the sum of both axes' variances, in metres.
  var horizontalAccuracy: Double { horizontalDeviation * 2.0.squareRoot() }

  /// Standard deviation of the course in degrees; 180 at rest.
  var courseDeviation: Double {
    guard course != nil, speedMetersPerSecond > 0 else { return 180 }
    return min(180, Angle(radians: speedDeviation / speedMetersPerSecond).degrees)
  }

  /// Dilutions of precision as messages tell them; 99.99 without a position.
  var dilution: (position: Double, horizontal: Double, vertical: Double) {
    switch solution {
    case .none: (99.99, 99.99, 99.99)
    case .twoDimensional: (2.81, 2.62, 1.00)
    case .threeDimensional: (1.75 * dilutionFactor, 0.90 * dilutionFactor, 1.50 * dilutionFactor)
    }
  }
}

/// A place in three dimensions, on WGS 84.
package struct SimulatedPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  package var heightAboveEllipsoid: Meters

  package init(coordinate: Coordinate, heightAboveEllipsoid: Meters) {
    self.coordinate = coordinate
    self.heightAboveEllipsoid = heightAboveEllipsoid
  }

  /// A place by degrees and metres above the ellipsoid.
  package init(latitude: Double, longitude: Double, height: Double) {
    self.init(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      heightAboveEllipsoid: Meters(height))
  }
}
