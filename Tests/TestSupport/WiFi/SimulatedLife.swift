package import Geodesy
package import Positioning
package import WireFormats

/// Drives through a town with a radio: drives that learn, with satellites, and drives that request positions.
package struct SimulatedLife: Sendable {
  package var radio: SimulatedRadio
  /// The largest distance of a drive from the center, in meters.
  package var extent: Double
  /// The learned access points, as a store would keep them.
  package private(set) var records: [BSSID: AccessPointRecord] = [:]
  /// Known access points that were not learned.
  private var known: [BSSID: AccessPointPosition] = [:]
  /// The number of records in memory: fewer than there are, so that records are loaded and evicted.
  private var cache = RecordCache(capacity: 2000)
  private var placer = ObservationLocator()
  private var tuning: PositioningTuning

  package init(radio: SimulatedRadio, extent: Double, _ tuning: PositioningTuning = .standard) {
    self.radio = radio
    self.extent = extent
    self.tuning = tuning
    cache = RecordCache(capacity: 2000, tuning)
    placer = ObservationLocator(tuning)
  }

  /// Seconds between two scans.
  package static let interval = 5

  /// A drive: its duration in seconds, its speed, and the fading of signals on that day.
  package struct Drive: Sendable {
    package var way: SimulatedStreets
    package var exponent: Double
    package var day: Int
    var random: SplitMix64

    /// Every drive has one of four speeds (on foot, by bicycle, by car in a town), with a path-loss exponent of 2 to 4.
    package init(seconds: Int, extent: Double, day: Int, seed: UInt64) {
      random = SplitMix64(seed: seed &* 977)
      let speed = ([1.4, 5, 8, 13] as [Double]).randomElement(using: &random) ?? 5
      exponent = Double.random(in: 2...4, using: &random)
      way = SimulatedStreets(seconds: seconds, speed: speed, extent: extent, seed: seed)
      self.day = day
    }

    /// The start of the drive: noon of its day.
    package var start: Instant { Instant(nanoseconds: Int64(day) * 86_400_000_000_000 + 43_200_000_000_000) }
  }

  /// A satellite fix: 3 m of white noise per axis, with a reported radius of 5 m.
  package func fix(_ drive: inout Drive, at second: Int) -> PositionFix {
    let truth = drive.way.places[second]
    let noise = SIMD2(drive.random.nextNormal(), drive.random.nextNormal()) * 3
    let instant = drive.start + .seconds(second)
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: instant.nanoseconds), timeValidity: .confirmed, receivedAt: instant,
      coordinate: radio.coordinate(of: truth + noise), horizontalRadius68: Meters(5), kind: .threeDimensional,
      technologies: .gnss)
    fix.speedMetersPerSecond = drive.way.speed
    return fix
  }

  package func scan(_ drive: inout Drive, at second: Int) -> [AccessPointObservation] {
    radio.scan(
      drive.way, at: Double(second), exponent: drive.exponent, startingAt: drive.start, using: &drive.random)
  }

  /// Learns access points from a drive with satellites.
  package mutating func learn(_ drive: Drive) {
    var drive = drive
    for second in drive.way.places.indices {
      if second > 0, second.isMultiple(of: Self.interval) { learn(placer.handle(scan(&drive, at: second))) }
      learn(placer.handle(fix(&drive, at: second)))
    }
    for record in cache.unsaved() { records[record.bssid] = record }
  }

  package mutating func learn(_ observations: [LocatedObservation]) {
    let stored = cache.missing(in: observations).compactMap { records[$0] }
    for record in cache.learn(observations, stored: stored) { records[record.bssid] = record }
  }

  /// Sets all access points as known, wherever they are now, with an error of this standard deviation per axis.
  package mutating func know(deviation: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    known = Dictionary(
      radio.stations.map { station in
        let place = station.place + SIMD2(random.nextNormal(), random.nextNormal()) * deviation
        return (
          station.bssid,
          AccessPointPosition(
            bssid: station.bssid, coordinate: radio.coordinate(of: place), radius68: Meters(1.515 * deviation))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets all access points as known, with an error that neighbors share: `common` meters per axis, the same over some 100 m, as of
  /// those that were learned from one street, and `own` meters of each one alone.
  package mutating func know(own: Double, common: Double, over length: Double = 100, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let field = ErrorField(meters: common, length: length, seed: seed)
    known = Dictionary(
      radio.stations.map { station in
        let noise = SIMD2(random.nextNormal(), random.nextNormal()) * own
        let place = station.place + field.error(at: station.place) + noise
        return (
          station.bssid,
          AccessPointPosition(
            bssid: station.bssid, coordinate: radio.coordinate(of: place),
            radius68: Meters(1.515 * (own * own + common * common).squareRoot()))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The learned positions of the received access points.
  package func places(of observations: [AccessPointObservation]) -> [AccessPointPosition] {
    observations.compactMap { known[$0.bssid] ?? records[$0.bssid]?.place(tuning) }
  }

  /// The requests during a drive: the received access points, their known positions, the time, and the truth.
  package func questions(_ drive: Drive) -> [Question] {
    var drive = drive
    return stride(from: Self.interval, to: drive.way.places.count, by: Self.interval).map { second in
      let observations = scan(&drive, at: second)
      return Question(
        observations: observations, places: places(of: observations), at: drive.start + .seconds(second),
        truth: radio.coordinate(of: drive.way.places[second]))
    }
  }

  package struct Question: Sendable {
    package var observations: [AccessPointObservation]
    package var places: [AccessPointPosition]
    package var at: Instant
    package var truth: Coordinate
  }
}
