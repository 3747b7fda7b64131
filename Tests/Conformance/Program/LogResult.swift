/// The result of comparing one log.
struct LogResult {
  let log: ReceiverLog
  /// Epochs about which gpsd or this package reports something.
  var epochs = 0
  /// Of those, the epochs that agree in every field.
  var agree = 0
  /// Of those, the epochs with known differences, by class.
  var known: [String: Int] = [:]
  /// Of those, the epochs in which the receiver itself reports no fix, while gpsd reports one.
  var withheld = 0
  /// The number of compared lists of satellites.
  var lists = 0
  /// Differences that belong to no known class.
  var unknown: [String] = []
  /// Epochs with a difference that belongs to no known class.
  var unknownEpochs = 0

  init(_ log: ReceiverLog, _ playback: Playback, _ expected: ExpectedLog, classes: [DifferenceClass]) {
    self.log = log
    let pairs = EpochMatcher(log, playback, expected).pairs()
    for index in pairs.indices {
      let comparison = EpochComparison(pairs[index], of: log)
      guard comparison.isCompared else { continue }
      epochs += 1
      lists += pairs[index].skies.count
      guard !comparison.differences.isEmpty else {
        agree += 1
        continue
      }
      sort(
        comparison, EpochContext(log: log, playback: playback, pairs: pairs, index: index, passedOn: expected.passedOn),
        into: classes)
    }
  }

  private mutating func sort(_ comparison: EpochComparison, _ epoch: EpochContext, into classes: [DifferenceClass]) {
    var names: Set<String> = []
    var isKnown = true
    var isWithheld = false
    for difference in comparison.differences {
      if let known = classes.first(where: { $0.holds(difference.field, at: epoch) }) {
        names.insert(known.name)
        if known.isWithheld { isWithheld = true }
      } else {
        isKnown = false
        let place = epoch.pair.played.map { "messages \($0.messages)" } ?? "no epoch here"
        let holding = Condition.allCases.filter { $0.holds(at: epoch) }.map(\.rawValue).joined(separator: " ")
        unknown.append("\(log.shortName), \(place): \(difference.field) \(difference.detail) [\(holding)]")
      }
    }
    if isWithheld, isKnown { withheld += 1 }
    if !isKnown { unknownEpochs += 1 }
    for name in names { known[name, default: 0] += 1 }
  }

  /// One line of the table.
  var line: String {
    let differ = known.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let rest = unknownEpochs > 0 ? ["UNKNOWN \(unknownEpochs)"] : []
    return [
      log.kind.rawValue, log.shortName.padding(to: 32), "\(epochs)".padding(to: 6), "\(agree)".padding(to: 6),
      (differ + rest).joined(separator: ", "),
    ].joined(separator: " ")
  }
}

extension String {
  /// The text with blanks up to a width.
  func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
