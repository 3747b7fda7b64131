import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  print("usage: Conformance FOLDER CLASSES [LOG...]")
  exit(64)
}
let folder = URL(fileURLWithPath: arguments[1])
let wanted = Set(arguments.dropFirst(3))
let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".log") }.sorted()
for name in names where wanted.isEmpty || wanted.contains(name) {
  let log = ReceiverLog(name: name, data: try Data(contentsOf: folder.appendingPathComponent(name)))
  guard log.kind != .foreign else {
    print("OTHER", name, log.counters.validNMEA, log.counters.validUBX, log.counters.noiseBytes)
    continue
  }
  let playback = Playback(log)
  let expected = try ExpectedLog(
    data: Data(contentsOf: folder.appendingPathComponent(name + ".chk")), sentences: playback.messages.map(\.sentence))
  var compared = 0
  var agree = 0
  var fields: [Difference: Int] = [:]
  for pair in EpochMatcher(log, playback, expected).pairs() {
    let comparison = EpochComparison(pair, of: log)
    guard comparison.isCompared else { continue }
    compared += 1
    if comparison.differences.isEmpty { agree += 1 }
    for field in Set(comparison.differences.map(\.field)) { fields[field, default: 0] += 1 }
    if !wanted.isEmpty, !comparison.differences.isEmpty {
      for difference in comparison.differences {
        print("   ", pair.played.map { "\($0.messages)" } ?? "-", difference.field, difference.detail)
      }
    }
  }
  if !wanted.isEmpty { for (position, sentence) in playback.refused { print("    refused", position, sentence) } }
  print(
    log.kind.rawValue, name, "epochs", compared, "agree", agree,
    fields.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
    "malformed", log.counters.malformed)
}
