import Foundation
import Geodesy

/// The summary of a track, which a reader can judge.
struct TrackSummary {
  private struct Segment {
    var reason: TrackInterruption?
    var fixes: [PositionFix] = []
    var meters = 0.0
  }

  private struct Day {
    var fixes = 0
    var meters = 0.0
    var staying = 0
  }

  private var segments: [Segment] = []
  private var days: [Int: Day] = [:]
  private var unconfirmed = 0
  private var suspects = 0

  /// - Parameter stays: the true times of standing still.
  init(_ entries: [TrackEntry], stays: [(from: GNSSTime, to: GNSSTime)]) {
    var segment = Segment()
    var last: PositionFix?
    for entry in entries {
      switch entry {
      case .interruption(let reason):
        if !segment.fixes.isEmpty { segments.append(segment) }
        segment = Segment(reason: reason)
        last = nil
      case .fix(let fix):
        let step = last.map { Geodesic.inverse(from: $0.coordinate, to: fix.coordinate).distance.value } ?? 0
        segment.meters += step
        segment.fixes.append(fix)
        last = fix
        let number = Int((fix.time - TripPlan.midnight).inSeconds / 86_400)
        days[number, default: Day()].fixes += 1
        days[number, default: Day()].meters += step
        // Without the first and the last fix of a stay, which belong to the arrival and the departure.
        if stays.contains(where: { $0.from + .seconds(5) < fix.time && fix.time + .seconds(5) < $0.to }) {
          days[number, default: Day()].staying += 1
        }
        if fix.timeValidity != .confirmed { unconfirmed += 1 }
        if fix.qualityFlag != nil { suspects += 1 }
      }
    }
    if !segment.fixes.isEmpty { segments.append(segment) }
  }

  var total: String {
    let fixes = segments.reduce(0) { $0 + $1.fixes.count }
    let meters = segments.reduce(0) { $0 + $1.meters }
    return String(
      format: "%d segments, %d fixes, %.1f km; %d fixes of unconfirmed time, %d suspect", segments.count, fixes,
      meters / 1000, unconfirmed, suspects)
  }

  /// One line per segment, with the gap between it and the previous one.
  var segmentLines: [String] {
    var lines = ["   begins with  first fix            last fix              fixes       km   after a break of"]
    var before: PositionFix?
    for (index, segment) in segments.enumerated() {
      guard let first = segment.fixes.first, let last = segment.fixes.last else { continue }
      var line = String(
        format: "%2d %@ %@  %@ %7d %8.3f", index + 1,
        (segment.reason?.name ?? "nothing").padding(toLength: 12, withPad: " ", startingAt: 0),
        Self.text(first.time),
        Self.text(last.time), segment.fixes.count, segment.meters / 1000)
      if let before {
        let gap = (first.time - before.time).inSeconds
        let distance = Geodesic.inverse(from: before.coordinate, to: first.coordinate).distance.value
        line += String(format: "   %.0f s, %.0f m", gap, distance)
      }
      before = last
      lines.append(line)
    }
    return lines
  }

  /// One line per day, with the true distances if they are given.
  func dayLines(_ driven: [TripDay]?) -> [String] {
    days.keys.sorted().map { number in
      let day = days[number] ?? Day()
      var line = String(
        format: "day %2d: %6d fixes, %8.3f km, %4d of them while it stood", number + 1, day.fixes, day.meters / 1000,
        day.staying)
      if let driven, driven.indices.contains(number) {
        line += String(
          format: "; driven %8.3f km in %5d s", driven[number].meters / 1000, driven[number].movingSeconds)
      }
      return line
    }
  }

  private static func text(_ time: GNSSTime) -> String {
    let second = time.nanosecondsSinceMidnight / 1_000_000_000
    guard let date = time.date else { return "at no time" }
    return String(
      format: "%04d-%02d-%02d %02d:%02d:%02d", Int(date.year), Int(date.month), Int(date.day), Int(second / 3600),
      Int(second / 60 % 60), Int(second % 60))
  }
}
