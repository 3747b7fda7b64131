/// A column of a table of positions, by the name that its header has.
package enum TableColumn: String, CaseIterable, Hashable, Sendable {
  /// Seconds, of UTC since 1970 or since any other beginning.
  case time = "t"
  /// Degrees, north positive.
  case latitude = "lat"
  /// Degrees, east positive.
  case longitude = "lon"
  /// What the receiver says of its horizontal error, √(σN² + σE²) in metres.
  case accuracy = "hacc"
  /// Metres per second over ground.
  case speed
  /// Degrees clockwise from true north.
  case course
  /// The true latitude.
  case trueLatitude = "true_lat"
  /// The true longitude.
  case trueLongitude = "true_lon"

  /// What a number of the column has to be within.
  var range: ClosedRange<Double> {
    switch self {
    // What nanoseconds in 64 bits can hold.
    case .time: -9e9...9e9
    case .latitude, .trueLatitude: -90...90
    case .longitude, .trueLongitude: -180...180
    case .accuracy: Double.leastNonzeroMagnitude...1e8
    case .speed: 0...1e6
    case .course: 0...360
    }
  }

  /// Whether a table without it is of no use.
  var isNeeded: Bool {
    switch self {
    case .time, .latitude, .longitude: true
    case .accuracy, .speed, .course, .trueLatitude, .trueLongitude: false
    }
  }
}
