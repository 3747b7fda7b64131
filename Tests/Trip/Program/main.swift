import Foundation

// Two weeks of a car with a receiver, in virtual time, through the service's core and its logs on a disk; what they hold is
// compared with a golden file:
//
//     Trip GOLDEN [ACTUAL]
//
// ACTUAL: where the report is written to, for whoever is to judge a difference.
let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  print("usage: Trip GOLDEN [ACTUAL]")
  exit(64)
}
// In memory where there is such a place: a sync each half minute of two weeks would wear a disk for nothing.
let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
let folder = "\(parent)/trip-\(UUID().uuidString)"
defer { try? FileManager.default.removeItem(atPath: folder) }
let began = ContinuousClock.now
let run = TripRun(folder: folder)
run.run()
let tracked = TripRun(folder: folder, isTracked: true)
tracked.run()
let text = (run.report + tracked.report).joined(separator: "\n") + "\n"
if arguments.count > 2 { try Data(text.utf8).write(to: URL(fileURLWithPath: arguments[2])) }
let golden = (try? String(contentsOfFile: arguments[1], encoding: .utf8)) ?? ""
let wanted = golden.split(separator: "\n", omittingEmptySubsequences: false)
let found = text.split(separator: "\n", omittingEmptySubsequences: false)
for change in found.difference(from: wanted) {
  switch change {
  case .remove(let line, let text, _): print("- \(line + 1): \(text)")
  case .insert(let line, let text, _): print("+ \(line + 1): \(text)")
  }
}
let faults = run.faults + tracked.faults
for fault in faults { print("fault: \(fault)") }
let seconds = began.duration(to: .now).components.seconds
print("The trip: \(run.epochs + tracked.epochs) epochs in \(seconds) s, \(found.count) lines.")
try? FileManager.default.removeItem(atPath: folder)
exit(text == golden && faults.isEmpty ? 0 : 1)
