import Geodesy
import PlacesCore
import PlacesData
import PlacesStore
import PlacesSurvey
import TestSupport

// Figures of files of places, for people and for `make bench`:
//   places-bench FILE...                          figures of imported files
//   places-bench --rows FILE                      the figures that the benchmarks list, one JSON object per line
//   places-bench --reverse FILE ACCURACY          reverse queries only, for a profiler
//   places-bench --questions FILE COUNT SEED      questions with our answers, one JSON object per line
//   places-bench --zones FOLDER                   the same of the time zones of the world
//   places-bench --points FOLDER COUNT SEED       "latitude longitude zone" of random positions

func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
func high(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count * 99 / 100] }
func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

let clock = ContinuousClock()
func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let time = try clock.measure(body)
  return Double(time.components.attoseconds) / 1e12 + Double(time.components.seconds) * 1e6
}

/// A row of the table of the benchmarks.
func row(_ name: String, _ value: Double, _ unit: String, reach: Double? = nil) {
  let limit = reach.map { ",\"reach\":\($0)" } ?? ""
  print("{\"name\":\"\(name)\",\"value\":\(value),\"unit\":\"\(unit)\"\(limit)}")
}

/// The times of reverse queries at addresses, microseconds.
func reverse(_ file: PlacesFile, _ survey: PlacesSurvey, accuracy: Double) throws -> [Double] {
  var random = SplitMix64(seed: 3)
  return try (0..<4000).map { _ in
    let address = survey.addresses[Int.random(in: 0..<survey.addresses.count, using: &random)]
    let query = ReverseQuery(address.outline[0].coordinate, accuracy: Meters(accuracy))
    return try microseconds { _ = try file.place(at: query) }
  }
}

func report(_ path: String) throws {
  let file = try PlacesFile(path: path)
  let survey = try PlacesSurvey(path: path)
  print("\(file.provenance.name): \(survey.addresses.count) addresses, country \(survey.country)")
  guard !survey.addresses.isEmpty else { return }
  for noise in [0.0, 3, 8, 15] {
    for half in [0, 1] {
      let numbers = try survey.numbers(in: file, noise: noise, count: 2000, seed: 7) { $0 / 32 % 2 == half }
      print(
        "  noise \(noise) m, half \(half): reported \(rounded(numbers.reportedShare * 100)) %, right of them "
          + "\(rounded(numbers.rightShare * 100)) %, right street \(rounded(Double(numbers.rightStreet) * 100 / Double(max(1, numbers.asked)))) %"
      )
    }
  }
  for accuracy in [0.0, 10, 30, 100] {
    let times = try reverse(file, survey, accuracy: accuracy)
    print("  reverse, accuracy \(accuracy) m: \(rounded(median(times))) µs, p99 \(rounded(high(times)))")
  }
  for hasError in [false, true] {
    let count = 2000
    var searches = PlacesSurvey.Searches()
    let time = try microseconds { searches = try survey.searches(in: file, count: count, hasError: hasError, seed: 5) }
    print(
      "  forward\(hasError ? " with an error" : ""): first \(rounded(Double(searches.first) * 100 / Double(count))) %, within 30 m "
        + "\(rounded(Double(searches.near) * 100 / Double(count))) %, another number \(searches.wrongNumber), \(rounded(time / Double(count))) µs"
    )
    for miss in searches.misses.prefix(6) { print("    \(miss)") }
  }
}

func rows(_ path: String) throws {
  let file = try PlacesFile(path: path)
  let survey = try PlacesSurvey(path: path)
  for (accuracy, reach) in [(30.0, 15.0), (100, 40)] {
    row(
      "address of a position known to \(Int(accuracy)) m", median(try reverse(file, survey, accuracy: accuracy)), "µs",
      reach: reach)
  }
  for (hasError, reach) in [(false, 0.3), (true, 3)] {
    let count = 2000
    var searches = PlacesSurvey.Searches()
    let time = try microseconds { searches = try survey.searches(in: file, count: count, hasError: hasError, seed: 5) }
    let what = "search for an address\(hasError ? " with one typing error" : "")"
    row(what, time / Double(count) / 1000, "ms", reach: reach)
    row("the same: not first", 100 - Double(searches.first) * 100 / Double(count), "%", reach: 5)
  }
  for (noise, reach) in [(0.0, 5.0), (3, 25), (8, 65), (15, 90)] {
    let numbers = try survey.numbers(in: file, noise: noise, count: 4000, seed: 11) { $0 / 32 % 2 == 1 }
    row(
      "house numbers with \(Int(noise)) m of noise: not reported", 100 - numbers.reportedShare * 100, "%", reach: reach)
    row("the same: wrong of those reported", 100 - numbers.rightShare * 100, "%", reach: 15)
  }
}

func profile(_ path: String, accuracy: Double) throws {
  let file = try PlacesFile(path: path)
  let survey = try PlacesSurvey(path: path)
  for _ in 0..<10 {
    let times = try reverse(file, survey, accuracy: accuracy)
    print("\(rounded(median(times))) µs, p99 \(rounded(high(times)))")
  }
}

func questions(_ path: String, _ count: Int, _ seed: UInt64) throws {
  let file = try PlacesFile(path: path)
  let survey = try PlacesSurvey(path: path)
  func quoted(_ text: String?) -> String {
    guard let text else { return "null" }
    return "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
  func pair(_ position: Coordinate?) -> String {
    position.map { "[\($0.latitude.degrees),\($0.longitude.degrees)]" } ?? "null"
  }
  for question in try survey.questions(in: file, count: count, seed: seed) {
    let place = question.place
    let microseconds = Double(question.time.components.attoseconds) / 1e12
    print(
      "{\"position\":\(pair(question.position)),\"text\":\(quoted(question.text)),\"middle\":\(pair(question.middle)),"
        + "\"street\":\(quoted(question.address.street)),\"number\":\(quoted(question.address.number)),"
        + "\"foundStreet\":\(quoted(place?.thoroughfare)),\"foundNumber\":\(quoted(place?.subThoroughfare)),"
        + "\"found\":\(pair(place?.coordinate)),\"microseconds\":\(microseconds)}")
  }
}

/// A random position on the globe.
func position(_ random: inout SplitMix64) -> Coordinate {
  let height = Double.random(in: -0.95...0.95, using: &random)
  let angle = Math.atan2(height, (1 - height * height).squareRoot())
  return Coordinate(
    latitude: Angle(degrees: angle * 180 / .pi),
    longitude: Angle(degrees: Double.random(in: -180..<180, using: &random)))
}

func zones(_ folder: String) throws {
  guard let world = try WorldPlaces.open([folder]) else { return }
  var random = SplitMix64(seed: 1)
  let points = (0..<100_000).map { _ in position(&random) }
  // A single look-up is shorter than the resolution of the clock.
  let size = 100
  let times = (0..<(points.count / size)).map { part in
    microseconds { for point in points[(part * size)..<((part + 1) * size)] { _ = world.timeZone(at: point) } }
      / Double(size)
  }
  row("time zone of a position", median(times), "µs", reach: 0.3)
  row("the same, p99 of groups of 100", high(times), "µs", reach: 2)
}

func points(_ folder: String, _ count: Int, _ seed: UInt64) throws {
  guard let world = try WorldPlaces.open([folder]) else { return }
  var random = SplitMix64(seed: seed)
  for _ in 0..<count {
    let point = position(&random)
    print(point.latitude.degrees, point.longitude.degrees, world.timeZone(at: point) ?? "-")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--rows" where arguments.count == 2: try rows(arguments[1])
case "--reverse" where arguments.count == 3: try profile(arguments[1], accuracy: Double(arguments[2]) ?? 0)
case "--questions" where arguments.count == 4:
  try questions(arguments[1], Int(arguments[2]) ?? 0, UInt64(arguments[3]) ?? 0)
case "--zones" where arguments.count == 2: try zones(arguments[1])
case "--points" where arguments.count == 4: try points(arguments[1], Int(arguments[2]) ?? 0, UInt64(arguments[3]) ?? 0)
default: for path in arguments { try report(path) }
}
