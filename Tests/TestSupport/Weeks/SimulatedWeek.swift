import Geodesy

/// A week of a person's life with the exact truth: the position at any second, and the times and places of stays.
///
/// Days of work and leisure among a dozen places in a town, on foot, by bicycle and by car; traffic lights, traffic jams and
/// waiting for a bus are stops and not stays.
package struct SimulatedWeek {
  /// A stay, in seconds since the start.
  package struct Stay {
    package var east, north: Double
    package var arrival, departure: Double
  }

  /// One straight part of the track, or a stop, whose two ends are at one place.
  private struct Leg {
    var start, end: Double
    var from, to: (east: Double, north: Double)
  }

  package private(set) var stays: [Stay] = []
  private var legs: [Leg] = []
  private var random: SplitMix64
  private var now = 0.0
  private var place: (east: Double, north: Double)
  /// The number of seconds on the move.
  package private(set) var travelled = 0.0

  package var duration: Double { now }

  package init(seed: UInt64, days: Int = 7) {
    random = SplitMix64(seed: seed)
    place = (0, 0)
    let places = (0..<12).map { _ in
      (east: Double.random(in: -4000...4000, using: &random), north: Double.random(in: -4000...4000, using: &random))
    }
    let (home, work) = (places[0], places[1])
    place = home
    for day in 0..<days {
      let morning = Double(day) * 86_400 + Double.random(in: 6.5...9, using: &random) * 3600
      stay(until: morning)
      if day % 7 < 5 {
        travel(to: work)
        stay(for: Double.random(in: 3...4.5, using: &random) * 3600)
        if Double.random(in: 0...1, using: &random) < 0.6 {
          let cafe = (
            east: work.east + Double.random(in: -300...300, using: &random),
            north: work.north + 250 + Double.random(in: 0...200, using: &random)
          )
          walk(to: cafe)
          stay(for: Double.random(in: 15...45, using: &random) * 60)
          walk(to: work)
        }
        stay(for: Double.random(in: 3...5, using: &random) * 3600)
        for errand in places.dropFirst(2).shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
          travel(to: errand)
          stay(for: Double.random(in: 10...50, using: &random) * 60)
        }
      } else {
        for errand in places.dropFirst(2).shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
          travel(to: errand)
          stay(for: Double.random(in: 10...180, using: &random) * 60)
        }
        // A walk around the park, which contains no stay.
        for _ in 0..<4 {
          walk(
            to: (
              place.east + Double.random(in: -500...500, using: &random),
              place.north + Double.random(in: -500...500, using: &random)
            ))
        }
      }
      travel(to: home)
    }
    stay(for: 8 * 3600)
  }

  // MARK: The truth

  /// The position in meters from the center of the town, and the speed in meters per second.
  package func truth(at time: Double) -> (east: Double, north: Double, speed: Double, isInside: Bool) {
    var low = 0
    var high = legs.count - 1
    while low < high {
      let middle = (low + high) / 2
      if legs[middle].end < time { low = middle + 1 } else { high = middle }
    }
    let leg = legs[low]
    let span = leg.end - leg.start
    let share = span > 0 ? min(1, max(0, (time - leg.start) / span)) : 0
    let way = Math.hypot(leg.to.east - leg.from.east, leg.to.north - leg.from.north)
    let isInside = way == 0 && span >= 600
    return (
      leg.from.east + share * (leg.to.east - leg.from.east), leg.from.north + share * (leg.to.north - leg.from.north),
      span > 0 ? way / span : 0, isInside
    )
  }

  // MARK: Events

  private mutating func add(to end: (east: Double, north: Double), for seconds: Double) {
    legs.append(Leg(start: now, end: now + seconds, from: place, to: end))
    now += seconds
    place = end
  }

  private mutating func stay(for seconds: Double) {
    if let last = stays.last, last.departure == now, last.east == place.east, last.north == place.north {
      stays[stays.count - 1].departure = now + seconds
    } else {
      stays.append(Stay(east: place.east, north: place.north, arrival: now, departure: now + seconds))
    }
    add(to: place, for: seconds)
  }

  private mutating func stay(until time: Double) { stay(for: max(600, time - now)) }

  private mutating func travel(to end: (east: Double, north: Double)) {
    let way = Math.hypot(end.east - place.east, end.north - place.north)
    if way < 1200 { return walk(to: end) }
    if Double.random(in: 0...1, using: &random) < 0.3 {
      return go(to: end, speed: Double.random(in: 4...6.5, using: &random), stopEvery: 900)
    }
    // To the car, or to the bus and waiting for it.
    let aside = Double.random(in: 30...200, using: &random)
    go(to: (place.east + aside, place.north), speed: 1.3, stopEvery: 1e9)
    if Double.random(in: 0...1, using: &random) < 0.3 { pause(60...300) }
    go(to: (end.east - aside / 2, end.north), speed: Double.random(in: 8...13, using: &random), stopEvery: 600)
    go(to: end, speed: 1.3, stopEvery: 1e9)
  }

  private mutating func walk(to end: (east: Double, north: Double)) {
    go(to: end, speed: Double.random(in: 1.1...1.6, using: &random), stopEvery: 600)
  }

  /// Along one street and then another one, with traffic lights.
  private mutating func go(to end: (east: Double, north: Double), speed: Double, stopEvery: Double) {
    let begun = now
    for corner in [(east: end.east, north: place.north), end] {
      var way = abs(corner.east - place.east) + abs(corner.north - place.north)
      while way > 0 {
        let piece = min(way, Double.random(in: 0.5...1.5, using: &random) * stopEvery)
        let share = piece / way
        add(
          to: (place.east + share * (corner.east - place.east), place.north + share * (corner.north - place.north)),
          for: piece / speed)
        way -= piece
        if way > 0.01 { pause(10...90) } else { way = 0 }
        // A traffic jam now and then.
        if way > 0, Double.random(in: 0...1, using: &random) < 0.05 { pause(120...330) }
      }
    }
    travelled += now - begun
  }

  private mutating func pause(_ seconds: ClosedRange<Double>) {
    add(to: place, for: Double.random(in: seconds, using: &random))
  }
}
