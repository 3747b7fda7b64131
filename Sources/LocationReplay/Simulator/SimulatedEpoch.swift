package import Geodesy

/// The measurements of a simulated receiver at one epoch: exactly what its messages contain.
struct SimulatedEpoch: Hashable, Sendable {
  /// Number since power-on, from 0.
  var index: Int
  /// UTC as reported, errors included; `nil` before the receiver knows a time of day.
  var time: GNSSTime?
  /// Whether the date is reported too.
  var knowsDate: Bool
  /// Whether the number of leap seconds was received.
  var knowsLeapSeconds: Bool
  /// GPS time minus UTC in seconds, as reported.
  var leapSeconds: Int
  /// Time of week of GPS time in milliseconds, 0…604,799,999; the time since power-on before a time of day is known.
  var timeOfWeekMilliseconds: UInt32
  /// Week number of GPS time, as reported.
  var week: Int16

  var solution: Solution
  /// Measured, errors included.
  var position: SimulatedPosition
  var geoidSeparation: Meters
  /// Measured velocity in meters per second.
  var velocityNorth: Double
  var velocityEast: Double
  var velocityDown: Double
  /// Measured; `nil` at rest.
  var course: Angle?

  /// Standard deviations of the measurements as reported, in meters and meters per second.
  var horizontalDeviation: Double
  var verticalDeviation: Double
  var speedDeviation: Double

  var satellites: [SimulatedSatellite]
  /// The solution by carrier phases.
  var carrier = UbloxCorrections.Solution.none
  /// The age of the corrections as NAV-PVT has it.
  var correctionAgeClass: UInt16 = 0
  /// The factor by which the satellites' geometry is worse than under an open sky.
  var dilutionFactor = 1.0
  /// Whether the output is marked as a simulation.
  var announcesSimulation: Bool

  /// The kind of position.
  enum Solution: Hashable, Sendable {
    case none, twoDimensional, threeDimensional
  }

  var heightAboveMeanSeaLevel: Meters { position.heightAboveEllipsoid - geoidSeparation }
  var speedMetersPerSecond: Double { (velocityNorth * velocityNorth + velocityEast * velocityEast).squareRoot() }
  var satellitesUsed: Int { satellites.count { $0.isUsed } }

  /// u-blox's `hAcc`: the root of the sum of both axes' variances, in meters.
  var horizontalAccuracy: Double { horizontalDeviation * 2.0.squareRoot() }

  /// Standard deviation of the course in degrees; 180 at rest.
  var courseDeviation: Double {
    guard course != nil, speedMetersPerSecond > 0 else { return 180 }
    return min(180, Angle(radians: speedDeviation / speedMetersPerSecond).degrees)
  }

  /// Dilutions of precision as in messages; 99.99 without a position.
  var dilution: (position: Double, horizontal: Double, vertical: Double) {
    switch solution {
    case .none: (99.99, 99.99, 99.99)
    case .twoDimensional: (2.81, 2.62, 1.00)
    case .threeDimensional: (1.75 * dilutionFactor, 0.90 * dilutionFactor, 1.50 * dilutionFactor)
    }
  }
}

/// A position in three dimensions, on WGS 84.
package struct SimulatedPosition: Hashable, Sendable {
  package var coordinate: Coordinate
  package var heightAboveEllipsoid: Meters

  package init(coordinate: Coordinate, heightAboveEllipsoid: Meters) {
    self.coordinate = coordinate
    self.heightAboveEllipsoid = heightAboveEllipsoid
  }

  /// A position from degrees and meters above the ellipsoid.
  package init(latitude: Double, longitude: Double, height: Double) {
    self.init(
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      heightAboveEllipsoid: Meters(height))
  }
}
