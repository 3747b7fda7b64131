/// Finds for each of gpsd's reports the corresponding epoch of this package: by its time or, if it has none, by its place in the
/// stream, which gpsd shows only for NMEA.
struct EpochMatcher {
  private let log: ReceiverLog
  private let playback: Playback
  private let expected: ExpectedLog
  /// The times of one epoch may differ by this many milliseconds.
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
        pairs[index].expected =
          pairs[index].expected.map { merge($0, with: report, in: playback.epochs[index]) } ?? report
      } else if let last = missing.last?.pair.expected, last.time == report.time {
        missing[missing.count - 1].pair.expected = report
      } else if report.time != nil || report.hasFix {
        missing.append((latest, EpochPair(expected: report, played: nil)))
      }
    }
    placeSkies(into: &pairs)
    if log.kind == .ubx { alignSkies(into: &pairs) }
    for (before, pair) in missing.reversed() { pairs.insert(pair, at: min(before + 1, pairs.count)) }
    return pairs
  }

  private func epoch(of report: ExpectedReport, after latest: Int) -> Int? {
    let epochs = playback.epochs
    if let time = report.timeOfDay {
      let same = epochs.indices.filter { isSame(epochs[$0], time) }
      // If several epochs have the same time, the place in the stream decides.
      return same.first { isPlaced(epochs[$0], at: report) && $0 >= latest } ?? same.first { $0 >= latest }
        ?? same.last { $0 + 1 >= latest }
    }
    if log.kind == .nmea {
      let message = max(0, report.lastPosition - 1)
      return epochs.firstIndex { $0.messages.contains(message) }
    }
    // Without a time and a place, the report belongs to the next epoch, if neither of them has a fix; a report with a fix belongs
    // to the latest epoch, if that has one.
    let next = latest + (report.hasFix ? 0 : 1)
    return epochs.indices.contains(next) && (epochs[next].fix == nil) == !report.hasFix ? next : nil
  }

  private func isSame(_ epoch: Playback.Epoch, _ time: Int) -> Bool {
    let reported = epoch.fix.map { [Int(($0.time.nanosecondsSinceMidnight + 500_000) / 1_000_000)] } ?? epoch.timesOfDay
    return reported.contains { abs($0 - time) <= Self.sameTime }
  }

  private func isPlaced(_ epoch: Playback.Epoch, at report: ExpectedReport) -> Bool {
    log.kind == .nmea && epoch.messages.upperBound >= report.firstPosition - 1
      && epoch.messages.lowerBound <= report.lastPosition
  }

  /// A later report of one epoch replaces the earlier one; a report without a time adds to it.
  private func merge(
    _ earlier: ExpectedReport, with later: ExpectedReport, in epoch: Playback.Epoch
  ) -> ExpectedReport {
    // A sentence without a time that reports "no fix" makes gpsd repeat the time of the previous epoch.
    let isOfTheNext =
      log.kind == .nmea && earlier.hasFix && !later.hasFix && later.lastPosition > epoch.messages.upperBound
    var merged = isOfTheNext || earlier.time != nil && later.time == nil ? earlier : later
    merged.firstPosition = earlier.firstPosition
    merged.reports = earlier.reports + later.reports
    return merged
  }

  // MARK: - Satellites

  /// NMEA: the last list of an epoch belongs to the messages that gpsd had passed on by that time.
  private func placeSkies(into pairs: inout [EpochPair]) {
    var index = 0
    var last: (index: Int, sky: ExpectedReport.Sky)?
    for sky in expected.skies where log.kind == .nmea || sky.followsSentence {
      let message = max(0, sky.position - 1)
      while index + 1 < pairs.count, let played = pairs[index].played, message >= played.messages.upperBound {
        index += 1
      }
      guard let played = pairs.indices.contains(index) ? pairs[index].played : nil, played.messages.contains(message)
      else { continue }
      if let used = sky.used { pairs[index].used.insert(used) }
      guard let satellites = sky.satellites else { continue }
      pairs[index].used.insert(Self.used(satellites))
      if let last, last.index != index { place(last.sky, into: &pairs[last.index]) }
      last = (index, sky)
    }
    if let last { place(last.sky, into: &pairs[last.index]) }
  }

  private func place(_ sky: ExpectedReport.Sky, into pair: inout EpochPair) {
    guard let satellites = sky.satellites else { return }
    pair.skies = [EpochPair.Sky(expected: satellites, played: list(endingAt: sky.position))]
  }

  /// The list that gpsd has just passed on, and the earlier lists of the same round.
  private func list(endingAt position: Int) -> [PlayedMessage.Satellite] {
    var satellites: [PlayedMessage.Satellite] = []
    var parts: Set<String> = []
    for message in playback.messages.prefix(position).reversed() {
      if let part = message.listPart {
        guard parts.insert(part).inserted else { break }
        satellites = message.satellites + satellites
      } else if !parts.isEmpty, message.timeOfDay != nil {
        break
      }
    }
    return satellites
  }

  /// UBX: each message is a whole list, in the order of gpsd's reports.
  private func alignSkies(into pairs: inout [EpochPair]) {
    let lists = playback.messages.indices.filter {
      playback.messages[$0].endsList && playback.messages[$0].sentence == nil
    }
    var next = 0
    for sky in expected.skies where !sky.followsSentence {
      guard let satellites = sky.satellites else { continue }
      var candidates = Array(lists[min(next, lists.count)..<min(next + 4, lists.count)])
      if let time = sky.timeOfDay {
        candidates = candidates.filter { playback.timeOfDay(playback.messages[$0]) == time }
      }
      func fits(_ index: Int) -> Bool {
        SkyComparison(EpochPair.Sky(expected: satellites, played: playback.messages[index].satellites)).found.isEmpty
      }
      guard let list = candidates.first(where: fits) ?? candidates.first,
        let pair = pairs.indices.first(where: { pairs[$0].played?.messages.contains(list) ?? false })
      else { continue }
      next = (lists.firstIndex(of: list) ?? next) + 1
      pairs[pair].skies.append(EpochPair.Sky(expected: satellites, played: playback.messages[list].satellites))
      if let used = sky.used { pairs[pair].used.insert(used) }
      pairs[pair].used.insert(Self.used(satellites))
    }
  }

  /// The satellites used, each counted once even if several of its signals are used.
  private static func used(_ satellites: [ExpectedReport.Satellite]) -> Int {
    Set(satellites.filter(\.isUsed).map { $0.constellation * 1000 + $0.number }).count
  }
}
