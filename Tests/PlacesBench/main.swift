import Geodesy
import PlacesCore
import PlacesStore
import PlacesSurvey
import TestSupport

// Figures of files of places: `places-bench FILE...`.

func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
func high(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count * 99 / 100] }
func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

let clock = ContinuousClock()
func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let time = try clock.measure(body)
  return Double(time.components.attoseconds) / 1e12 + Double(time.components.seconds) * 1e6
}

for path in CommandLine.arguments.dropFirst() {
  let file = try PlacesFile(path: path)
  let survey = try PlacesSurvey(path: path)
  print("\(file.provenance.name): \(survey.addresses.count) addresses, country \(survey.country)")
  guard !survey.addresses.isEmpty else { continue }
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
    var random = SplitMix64(seed: 3)
    var times: [Double] = []
    for _ in 0..<4000 {
      let address = survey.addresses[Int.random(in: 0..<survey.addresses.count, using: &random)]
      let query = ReverseQuery(address.outline[0].coordinate, accuracy: Meters(accuracy))
      times.append(try microseconds { _ = try file.place(at: query) })
    }
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
