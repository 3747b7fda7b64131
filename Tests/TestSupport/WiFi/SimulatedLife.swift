package import Geodesy
package import Positioning
package import WireFormats

/// Drives through a town with a radio: those that teach, with satellites, and those that ask.
package struct SimulatedLife: Sendable {
  package var radio: SimulatedRadio
  /// How far from the middle it drives, metres.
  package var extent: Double
  /// What was learnt, as a store would keep it.
  package private(set) var records: [BSSID: AccessPointRecord] = [:]
  /// What is known without having been learnt.
  private var known: [BSSID: AccessPointPosition] = [:]
  /// Records in memory at once: fewer than there are, so that they come and go.
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

  /// Seconds from one scan to the next.
  package static let interval = 5

  /// A drive: seconds, its speed, and how signals fade that day.
  package struct Drive: Sendable {
    package var way: SimulatedStreets
    package var exponent: Double
    package var day: Int
    var random: SplitMix64

    /// Every drive is at one of four speeds (a walk, a bicycle, a car in town), with an exponent of 2 to 4.
    package init(seconds: Int, extent: Double, day: Int, seed: UInt64) {
      random = SplitMix64(seed: seed &* 977)
      let speed = ([1.4, 5, 8, 13] as [Double]).randomElement(using: &random) ?? 5
      exponent = Double.random(in: 2...4, using: &random)
      way = SimulatedStreets(seconds: seconds, speed: speed, extent: extent, seed: seed)
      self.day = day
    }

    /// The beginning of it: noon of its day.
    package var start: Instant { Instant(nanoseconds: Int64(day) * 86_400_000_000_000 + 43_200_000_000_000) }
  }

  /// A fix of satellites: 3 m of white noise in both axes, told as 5 m.
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

  /// Learns from a drive with satellites.
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

  /// Knows all access points, wherever they are now, with an error of such a deviation per axis.
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

  /// The learnt places of what was heard.
  package func places(of observations: [AccessPointObservation]) -> [AccessPointPosition] {
    observations.compactMap { known[$0.bssid] ?? records[$0.bssid]?.place(tuning) }
  }

  /// Asks all along a drive: what was heard, the places that are known of it, when, and the truth.
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
