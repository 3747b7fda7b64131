/// Finds for each of gpsd's reports the epoch of ours that it is of: by its time, and where it has none by its place in the
/// stream, which gpsd tells of NMEA alone.
struct EpochMatcher {
  private let log: ReceiverLog
  private let playback: Playback
  private let expected: ExpectedLog
  /// Times of one epoch may differ by so many milliseconds.
  private static let sameTime = 10

  init(_ log: ReceiverLog, _ playback: Playback, _ expected: ExpectedLog) {
    self.log = log
    self.playback = playback
    self.expected = expected
  }

  /// The pairs in the order of the log.
  func pairs() -> [EpochPair] {
    var pairs = playback.epochs.map { EpochPair(expected: nil, played: $0) }
    var missing: [(before: Int, pair: EpochPair)] = []
    var latest = 0
    for report in expected.reports {
      if let index = epoch(of: report, after: latest) {
        latest = index
        pairs[index].expected = pairs[index].expected.map { merge($0, with: report) } ?? report
      } else if report.time != nil || report.hasFix {
        missing.append((latest, EpochPair(expected: report, played: nil)))
      }
    }
    for index in pairs.indices { pairs[index].skies = skies(of: pairs[index]) }
    for (before, pair) in missing.reversed() { pairs.insert(pair, at: min(before + 1, pairs.count)) }
    return pairs
  }

  private func epoch(of report: ExpectedReport, after latest: Int) -> Int? {
    let epochs = playback.epochs
    if let time = report.timeOfDay {
      return epochs.indices.dropFirst(max(0, latest - 1)).first { index in
        let epoch = epochs[index]
        if log.kind == .nmea {
          guard epoch.messages.upperBound >= report.firstPosition - 1, epoch.messages.lowerBound <= report.lastPosition
          else { return false }
        }
        let told = epoch.fix.map { Int(($0.time.nanosecondsSinceMidnight + 500_000) / 1_000_000) } ?? epoch.timeOfDay
        return told.map { abs($0 - time) <= Self.sameTime } ?? false
      }
    }
    if log.kind == .nmea {
      let message = max(0, report.lastPosition - 1)
      return epochs.firstIndex { $0.messages.contains(message) }
    }
    // No time and no place: of the next epoch without a fix, if the next one has none.
    let next = latest + (report.hasFix ? 0 : 1)
    return epochs.indices.contains(next) && (epochs[next].fix == nil) == !report.hasFix ? next : nil
  }

  /// A later report of one epoch stands for the earlier; one without a time adds to it.
  private func merge(_ earlier: ExpectedReport, with later: ExpectedReport) -> ExpectedReport {
    var merged = earlier.time != nil && later.time == nil ? earlier : later
    merged.firstPosition = earlier.firstPosition
    merged.reports = earlier.reports + later.reports
    merged.skies = earlier.skies + later.skies
    merged.satellitesUsed = later.satellitesUsed ?? earlier.satellitesUsed
    return merged
  }

  private func skies(
    of pair: EpochPair
  ) -> [(expected: [ExpectedReport.Satellite], played: [PlayedMessage.Satellite])] {
    guard let sky = pair.expected?.skies.last, log.kind == .nmea else { return [] }
    // The list that gpsd has just passed on, and those before it of the same round.
    var satellites: [PlayedMessage.Satellite] = []
    var index = min(sky.position, playback.messages.count) - 1
    var hasList = false
    while index >= 0 {
      let message = playback.messages[index]
      if message.isList {
        hasList = true
        satellites = message.satellites + satellites
      } else if hasList, message.timeOfDay != nil {
        break
      }
      index -= 1
    }
    return [(sky.satellites, satellites)]
  }
}
