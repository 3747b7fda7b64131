import Foundation

/// All logs of a folder, compared.
struct ConformanceRun {
  private let classes: [DifferenceClass]
  private var results: [LogResult] = []
  /// Logs of protocols that we do not decode.
  private var foreign: [String] = []
  /// Single logs were asked for: what is true of all of them cannot be told.
  private let isPartial: Bool
  /// So much must agree outright of the epochs of each protocol in which the receiver does not itself say "no fix".
  private static let goal = 0.97

  init(folder: URL, classes: URL, only wanted: Set<String>) throws {
    self.classes = try JSONDecoder().decode([DifferenceClass].self, from: Data(contentsOf: classes))
    isPartial = !wanted.isEmpty
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".log") }.sorted()
    for name in names where wanted.isEmpty || wanted.contains(String(name.dropLast(4))) {
      let log = ReceiverLog(name: name, data: try Data(contentsOf: folder.appendingPathComponent(name)))
      guard log.kind != .foreign else {
        foreign.append(log.shortName)
        continue
      }
      let playback = Playback(log)
      let expected = ExpectedLog(
        data: try Data(contentsOf: folder.appendingPathComponent(name + ".chk")),
        sentences: playback.messages.map(\.sentence))
      results.append(LogResult(log, playback, expected, classes: self.classes))
    }
  }

  /// Classes that no epoch is of any more, and logs of classes likewise.
  private var stale: [String] {
    guard !isPartial else { return [] }
    return classes.flatMap { known in
      known.logs.filter { name in
        !results.contains { $0.log.shortName == name && $0.known[known.name] != nil }
      }.map { "\(known.name): \($0)" }
    }
  }

  var isPassed: Bool {
    let goals = Self.kinds.map { Totals(results, of: $0) }
    return !results.isEmpty && results.allSatisfy(\.unknown.isEmpty) && stale.isEmpty
      && (isPartial || goals.allSatisfy { $0.epochs > 0 && $0.share >= Self.goal })
  }

  private static let kinds: [ReceiverLog.Kind] = [.nmea, .ubx]

  func report() {
    print("     " + "log".padding(to: 32) + " epochs agree  differ")
    for result in results { print(result.line) }
    print("\nOf other protocols, not compared: \(foreign.joined(separator: " "))\n")
    reportClasses()
    for kind in Self.kinds { print(Totals(results, of: kind).line) }
    for result in results { for line in result.unknown { print("UNKNOWN \(line)") } }
    for line in stale { print("NO LONGER TRUE \(line)") }
  }

  private func reportClasses() {
    for known in classes {
      let counts = results.compactMap { result in
        result.known[known.name].map { "\(result.log.shortName) \($0)" }
      }
      let sum = results.reduce(0) { $0 + ($1.known[known.name] ?? 0) }
      print("\(known.name), \(sum) epochs (\(known.fields.map(\.rawValue).joined(separator: ", ")))")
      print("  \(known.reason)")
      print("  \(known.source)")
      print("  \(counts.joined(separator: ", "))")
    }
    print("")
  }
}
