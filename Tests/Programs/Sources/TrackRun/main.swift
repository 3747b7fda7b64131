import CoreLocation
import Running

// Tracks until the run has lasted this many seconds, then prints a summary.
let seconds = CommandLine.arguments.dropFirst().first.flatMap(TimeInterval.init) ?? 60
let tracker = RunTracker()
tracker.onChange = { tracker in
  guard tracker.duration >= seconds else { return }
  tracker.stop()
  CFRunLoopStop(CFRunLoopGetMain())
}
tracker.start()
CFRunLoopRun()
let speed = tracker.route.last?.speed ?? -1
print(
  String(
    format: "%.1f m in %.1f s, %.2f min/km, %.2f m/s, course %.0f, %d locations, %d ignored", tracker.distance,
    tracker.duration, tracker.pace ?? 0, speed, tracker.route.last?.course ?? -1, tracker.route.count, tracker.ignored))
