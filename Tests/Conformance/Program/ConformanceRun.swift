import Foundation

/// All logs of a folder, compared with gpsd's reports.
struct ConformanceRun {
  private let file: ClassFile
  private var classes: [DifferenceClass] { file.classes }
  /// The version of gpsd that made the recordings.
  private let version: String
  private var results: [LogResult] = []
  /// Logs of protocols that this package does not decode.
  private var foreign: [String] = []
  /// Only single logs were requested: conditions on all of them cannot be checked.
  private let isPartial: Bool

  /// `package`: gpsd's source, or at least the part with the recordings; its name ends with the version.
  init(package: URL, classes: URL, only wanted: Set<String>) throws {
    file = try JSONDecoder().decode(ClassFile.self, from: Data(contentsOf: classes))
    version = package.lastPathComponent.split(separator: "-").last.map(String.init) ?? ""
    let folder = package.appendingPathComponent("test/daemon")
    isPartial = !wanted.isEmpty
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".log") }
      .sorted()
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
      results.append(LogResult(log, playback, expected, classes: file.classes))
    }
  }

  /// Classes to which no epoch belongs any more, and logs that a class names without need.
  private var stale: [String] {
    guard !isPartial else { return [] }
    return classes.flatMap { known in
      known.logs.filter { name in
        !results.contains { $0.log.shortName == name && $0.known[known.name] != nil }
      }.map { "\(known.name): \($0)" }
    }
  }

  /// The classes describe the recordings of one version: for those of another version there is no verdict, because gpsd's own
  /// errors are different there.
  var isJudged: Bool { version == file.version }

  var isPassed: Bool {
    guard !results.isEmpty, results.allSatisfy(\.unknown.isEmpty), stale.isEmpty else { return false }
    return isPartial || Self.kinds.allSatisfy { Totals(results, of: $0).share >= file.least(of: $0) }
  }

  private static let kinds: [ReceiverLog.Kind] = [.nmea, .ubx]

  func report() {
    print("gpsd \(version)")
    print("     " + "log".padding(to: 32) + " epochs agree  differ")
    for result in results { print(result.line) }
    print("\nOf other protocols, not compared: \(foreign.joined(separator: " "))\n")
    reportClasses()
    for kind in Self.kinds {
      let totals = Totals(results, of: kind)
      let least = file.least(of: kind)
      print(totals.line)
      if !isPartial, totals.share < least { print("TOO FEW of \(kind.rawValue): at least \(least) must agree") }
    }
    for result in results { for line in result.unknown { print("UNKNOWN \(line)") } }
    for line in stale { print("NO LONGER TRUE \(line)") }
    if !isJudged {
      print("NOT JUDGED: the classes are of gpsd \(file.version), and this is \(version), whose own faults are others.")
    }
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
