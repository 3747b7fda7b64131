import Foundation

// Two weeks of a car with a receiver, in virtual time, through the service's core and its logs on a disk; the content of the logs
// is compared with a golden file:
//
//     Trip GOLDEN [ACTUAL]
//
// ACTUAL: the path to which the report is written, so that a person can judge a difference.
let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  print("usage: Trip GOLDEN [ACTUAL]")
  exit(64)
}
// In memory if there is such a folder: one sync per half minute during two weeks would wear out a disk for nothing.
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
