import CFenceGrid
import Geodesy
import Glibc
import Regions
import TestSupport

/// A million circles of 50 to 300 m, all over the world or in one city, and fixes beside them.
struct RegionSet {
  static let count = 1_000_000
  static let lookups = 200_000

  let isCity: Bool
  private var random = SplitMix64(seed: 21)

  /// `nil` for an unknown name.
  init?(_ name: String) {
    guard ["world", "city"].contains(name) else { return nil }
    isCity = name == "city"
  }

  var label: String { isCity ? "in one city" : "over the world" }

  mutating func nextCircle() -> (latitude: Double, longitude: Double, radius: Double) {
    let latitude: Double
    let longitude: Double
    if isCity {
      latitude = 35.4 + Double.random(in: 0...0.5, using: &random)
      longitude = 139.2 + Double.random(in: 0...0.8, using: &random)
    } else {
      // The same density per square kilometer everywhere, except for the poles, which the peer does not support.
      let sine = Double.random(in: -0.99...0.99, using: &random)
      latitude = Math.atan2(sine, (1 - sine * sine).squareRoot()) * 180 / .pi
      longitude = Double.random(in: -179.9...179.9, using: &random)
    }
    return (latitude, longitude, Double.random(in: 50...300, using: &random))
  }

  /// Positions up to 300 m from the centers of some of the circles.
  func places() -> [Coordinate] {
    var again = self
    var places: [Coordinate] = []
    let step = Self.count / Self.lookups
    for number in 0..<Self.count {
      let circle = again.nextCircle()
      guard number.isMultiple(of: step) else { continue }
      let away = Double(number % 600) - 300
      places.append(
        Coordinate(
          latitude: Angle(degrees: circle.latitude + away / 111_000),
          longitude: Angle(degrees: circle.longitude + away / 222_000)))
    }
    places.shuffle(using: &again.random)
    return places
  }
}

/// Measures the index of the target `Regions`.
func regionsBenchmark(_ name: String) -> Int32 {
  guard let set = RegionSet(name) else { return 64 }
  let places = set.places()
  var circles = set
  let shapes = (0..<RegionSet.count).compactMap { _ -> RegionShape? in
    let circle = circles.nextCircle()
    let center = Coordinate(latitude: Angle(degrees: circle.latitude), longitude: Angle(degrees: circle.longitude))
    return (try? CircleShape(center: center, radius: Meters(circle.radius))).map { .circle($0) }
  }
  let before = residentMegabytes()
  let start = ProcessTime.nanoseconds()
  var index = RegionIndex()
  index.reserveCapacity(RegionSet.count)
  index.add(shapes)
  let built = ProcessTime.nanoseconds()
  let memory = withExtendedLifetime(shapes) { residentMegabytes() - before }
  var found: [UInt32] = []
  var hits = 0
  let time = ProcessTime.median {
    hits = 0
    for place in places {
      found.removeAll(keepingCapacity: true)
      index.collect(containing: place, into: &found)
      hits += found.count
    }
  }
  var sum = 0.0
  let borderTime = ProcessTime.median {
    sum = 0
    for place in places { sum += index.nearestBorder(from: place)?.value ?? 0 }
  }
  report(set, time, memory, built - start, hits)
  Figure(
    name: "the nearest border of 1,000,000 circles \(set.label)",
    value: Double(borderTime) / Double(places.count) / 1000,
    unit: "us"
  ).write()
  return sum > 0 ? 0 : 1
}

/// The same measurement with the peer, a grid of 40 lines of C.
func regionsPeer(_ name: String) -> Int32 {
  guard let set = RegionSet(name) else { return 64 }
  let places = set.places()
  var numbers: [Double] = []
  numbers.reserveCapacity(3 * RegionSet.count)
  var circles = set
  for _ in 0..<RegionSet.count {
    let circle = circles.nextCircle()
    numbers += [circle.latitude, circle.longitude, circle.radius]
  }
  let before = residentMegabytes()
  let start = ProcessTime.nanoseconds()
  var grid = unsafe fence_grid()
  guard unsafe CFenceGrid_build(&grid, RegionSet.count, numbers) == 0 else { return 1 }
  let built = ProcessTime.nanoseconds()
  let memory = withExtendedLifetime(numbers) { residentMegabytes() - before }
  var hits = 0
  let time = ProcessTime.median {
    hits = 0
    for place in places {
      unsafe hits += CFenceGrid_count(&grid, place.latitude.degrees, place.longitude.degrees)
    }
  }
  report(set, time, memory, built - start, hits)
  return 0
}

private func report(_ set: RegionSet, _ time: Int64, _ memory: Double, _ build: Int64, _ hits: Int) {
  Figure(
    name: "a fix against 1,000,000 circles \(set.label)", value: Double(time) / Double(RegionSet.lookups) / 1000,
    unit: "us", reach: set.isCity ? 2 : 0.7
  ).write()
  Figure(name: "memory of 1,000,000 circles \(set.label)", value: memory, unit: "MB", reach: 95).write()
  Figure(name: "building 1,000,000 circles \(set.label)", value: Double(build) / 1e9, unit: "s").write()
  Figure(
    name: "circles that a fix lies in, \(set.label)", value: Double(hits) / Double(RegionSet.lookups), unit: "circles"
  ).write()
}

/// Writes the file of a monitor with as many regions.
func writeRegions(_ name: String, to path: String) -> Int32 {
  guard var set = RegionSet(name) else { return 64 }
  var monitor = RegionMonitor()
  for number in 0..<RegionSet.count {
    let circle = set.nextCircle()
    let center = Coordinate(latitude: Angle(degrees: circle.latitude), longitude: Angle(degrees: circle.longitude))
    guard let shape = try? CircleShape(center: center, radius: Meters(circle.radius)),
      let region = try? Region(identifier: "shop \(number)", shape: .circle(shape))
    else { return 1 }
    _ = monitor.handle(.add(region, assuming: .outside), at: Instant(nanoseconds: 0))
  }
  let bytes = RegionFile.encode(monitor)
  guard let file = unsafe fopen(path, "w") else { return 1 }
  defer { unsafe fclose(file) }
  return unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count ? 0 : 1
}

/// Reads such a file in a process that has done nothing else, and drives past its regions at 10 m/s.
func loadRegions(_ name: String, from path: String) -> Int32 {
  guard let set = RegionSet(name) else { return 64 }
  let empty = residentMegabytes()
  let start = ProcessTime.nanoseconds()
  guard var monitor = monitor(from: path) else { return 1 }
  let loaded = ProcessTime.nanoseconds()
  Figure(
    name: "1,000,000 regions \(set.label) loaded from a file", value: Double(loaded - start) / 1e9, unit: "s", reach: 1
  ).write()
  Figure(
    name: "memory of 1,000,000 watched regions \(set.label), identifiers among it", value: residentMegabytes() - empty,
    unit: "MB",
    reach: 95
  ).write()
  var copy = set
  let first = copy.nextCircle()
  let origin = Coordinate(latitude: Angle(degrees: first.latitude), longitude: Angle(degrees: first.longitude))
  let frame = LocalFrame(origin: origin)
  var crossings = 0
  let seconds = 600
  let before = ProcessTime.nanoseconds()
  for second in 0..<seconds {
    let time = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000) + .seconds(second)
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: frame.coordinate(at: .init(eastMeters: 0, northMeters: Double(second) * 10)),
      horizontalRadius68: Meters(4), kind: .threeDimensional, technologies: .gnss)
    (fix.speedMetersPerSecond, fix.course) = (10, Angle(degrees: 0))
    crossings += monitor.handle(.fix(fix), at: fix.receivedAt).count
  }
  Figure(
    name: "a fix of a drive among 1,000,000 watched regions \(set.label), \(crossings) crossings in \(seconds) s",
    value: Double(ProcessTime.nanoseconds() - before) / Double(seconds) / 1000, unit: "us"
  ).write()
  return 0
}

/// In a separate function, so that the bytes are released when it returns.
private func monitor(from path: String) -> RegionMonitor? {
  guard let bytes = contents(of: path) else { return nil }
  return try? RegionFile.decode(bytes.span)
}

/// The resident memory of the process now.
private func residentMegabytes() -> Double {
  let words = ProcessTime.firstLine(of: "cat /proc/\(getpid())/statm").split(separator: " ")
  return words.count > 1 ? (Double(words[1]) ?? 0) * 4096 / 1e6 : 0
}
