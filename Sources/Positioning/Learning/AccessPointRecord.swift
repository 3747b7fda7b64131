package import Geodesy
package import WireFormats

/// What was learnt of one access point.
package struct AccessPointRecord: Hashable, Sendable {
  /// Where it is, as far as one knows.
  package enum State: Hashable, Sendable {
    /// At its place.
    case resident
    /// At its place, but of late heard elsewhere.
    case doubted(Elsewhere)
    /// It rides along: a train's, a car's, a phone's. Since this day.
    case travelling(since: Int)
  }

  /// Another place than that of the record.
  package struct Elsewhere: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Hearings there, ≥ 1.
    package var count: Int
    /// The first day, since 1970-01-01.
    package var day: Int
  }

  package let bssid: BSSID
  package internal(set) var state = State.resident
  /// The mean of where it may be.
  package internal(set) var coordinate: Coordinate
  /// The covariance of that, m²: east, both, north; positive definite.
  package internal(set) var covariance: SIMD3<Double>
  /// The mean of where it was heard: it is that which may not travel.
  package internal(set) var heardAround: Coordinate
  /// Hearings at its place, ≥ 1, up to 65,535.
  package internal(set) var count = 1
  /// Days on which it was heard there, ≥ 1, up to 255.
  package internal(set) var days = 1
  /// The first day that it was heard anywhere, and the last one, since 1970-01-01: 0…65,535.
  package internal(set) var firstDay: Int
  package internal(set) var lastDay: Int
  /// How often it moved or was found to travel, up to 255.
  package internal(set) var moves = 0

  /// Its first hearing.
  package init(_ hearing: Hearing, _ tuning: PositioningTuning = .standard) {
    let day = Self.kept(hearing.day)
    self.init(bssid: hearing.bssid, coordinate: hearing.coordinate, covariance: .zero, firstDay: day, lastDay: day)
    settle(at: hearing.coordinate, hearing, tuning.learning)
  }

  init(bssid: BSSID, coordinate: Coordinate, covariance: SIMD3<Double>, firstDay: Int, lastDay: Int) {
    self.bssid = bssid
    self.coordinate = coordinate
    self.covariance = covariance
    heardAround = coordinate
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  static func kept(_ day: Int) -> Int { min(Int(UInt16.max), max(0, day)) }

  /// Where it is, if that can be relied on: not while it travels, nor with an address made up by itself before it was there on
  /// several days.
  package func place(_ tuning: PositioningTuning = .standard) -> AccessPointPlace? {
    let tuning = tuning.learning
    switch state {
    case .travelling: return nil
    case .doubted(let other) where other.count >= tuning.hearingsToDoubt: return nil
    case .doubted, .resident: break
    }
    guard !bssid.isLocallyAdministered || days >= tuning.daysOfMadeUp else { return nil }
    return AccessPointPlace(bssid: bssid, coordinate: coordinate, radius68: radius68(tuning))
  }

  /// Of the covariance, and of what no hearing tells.
  private func radius68(_ tuning: PositioningTuning.Learning) -> Meters {
    let own = WiFiSolver.radiusOfDeviation * ((covariance.x + covariance.z) / 2).squareRoot()
    return Meters(Math.hypot(own, tuning.radiusFloor))
  }
}
