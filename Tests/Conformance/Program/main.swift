import Foundation

// Plays gpsd's recorded receivers through this package's decoders, and compares each epoch with gpsd's report.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  print("usage: Conformance GPSD-SOURCE CLASSES.json [LOG...]")
  exit(64)
}
do {
  let run = try ConformanceRun(
    package: URL(fileURLWithPath: arguments[1]), classes: URL(fileURLWithPath: arguments[2]),
    only: Set(arguments.dropFirst(3)))
  run.report()
  exit(!run.isJudged ? 77 : run.isPassed ? 0 : 1)
} catch {
  print("Conformance: \(error)")
  exit(66)
}
