import Foundation
import Geodesy

/// The fixes that a tracker received on each journey, from one long stay to the next.
struct JourneyReport {
  /// The longest time, in seconds, that may be missed at the beginning of a journey: a check follows within 15 minutes, and a
  /// receiver that has lost all its data takes one minute.
  private static let mostMissed = 16 * 60.0

  private struct Journey {
    let begin: GNSSTime
    var end: GNSSTime
    var meters: Double
  }

  private var journeys: [Journey] = []
  private var isDriving = false

  /// Adds a time in which the machine moved or stood. A stop at a crossing belongs to the journey.
  mutating func add(from begin: GNSSTime, to end: GNSSTime, meters: Double) {
    if meters == 0, (end - begin).inSeconds > 60 { isDriving = false }
    guard meters > 0 else { return }
    if isDriving, let last = journeys.indices.last {
      journeys[last].end = end
      journeys[last].meters += meters
    } else {
      journeys.append(Journey(begin: begin, end: end, meters: meters))
    }
    isDriving = true
  }

  /// A line for each journey, and the faults.
  func lines(_ fixes: [PositionFix], clock: (GNSSTime) -> String) -> (lines: [String], faults: [String]) {
    var (lines, faults): ([String], [String]) = ([], [])
    var missed: [Double] = []
    for journey in journeys {
      let reported = fixes.filter { $0.time >= journey.begin && $0.time <= journey.end }
      let length = (journey.end - journey.begin).inSeconds
      let beginning = reported.first.map { ($0.time - journey.begin).inSeconds }
      missed.append(beginning ?? length)
      let words = beginning.map { String(format: "told from second %.0f on", $0) } ?? "told nothing"
      let meters = zip(reported, reported.dropFirst()).reduce(0.0) {
        $0 + Geodesic.inverse(from: $1.0.coordinate, to: $1.1.coordinate).distance.value
      }
      lines.append(
        "\(clock(journey.begin))  "
          + String(format: "%.1f km in %.0f s: ", journey.meters / 1000, length) + words
          + String(format: ", %.1f km", meters / 1000))
      if (beginning ?? length) > Self.mostMissed { faults.append("the journey of \(clock(journey.begin)) is lost") }
    }
    let total = missed.reduce(0, +)
    let driven = journeys.reduce(0) { $0 + ($1.end - $1.begin).inSeconds }
    lines.append(
      String(
        format: "%d journeys, of which %.0f s of %.0f s (%.1f %%) are missing at the beginning, %.0f s at most",
        journeys.count, total, driven, 100 * total / driven, missed.max() ?? 0))
    return (lines, faults)
  }
}
