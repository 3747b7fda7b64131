import CoreLocation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdServer
import LocationdService

// The figures of CoreLocation that `make bench` measures: `core-location-bench FORM [NUMBER]`.

/// A service with the source at LOCATIOND_SOURCE, without CoreLocation; it prints when its fixes are computed.
func host() throws {
  let source = try SourceSelection(parsing: ProcessInfo.processInfo.environment["LOCATIOND_SOURCE"] ?? "")
  let host = try EmbeddedHost(source: source, minding: nil)
  host.onEvent = { event in
    guard case .update(_, let fix, _) = event else { return }
    let now = monotonicNanoseconds()
    say("\((fix.time.nanosecondsSince1970 + 500_000) / 1_000_000) \(now)")
  }
  host.onSignal = { _ in exit(0) }
  host.send(.startUpdates(RequestID(1), UpdateOptions(activity: .other, waitsForSource: true)))
  try host.run()
}

/// Managers that receive updates until standard input ends; then prints the fewest and the most locations that one of them
/// received.
func follow(_ count: Int, filtering: Bool) {
  let counters = (0..<count).map { Counter(isSpeaking: $0 == 0) }
  let managers = counters.enumerated().map { number, counter in
    let manager = CLLocationManager()
    manager.delegate = counter
    // One step of the benchmark's receiver is 23 cm.
    if filtering, number > 0 { manager.distanceFilter = Double(number) / 10 }
    return manager
  }
  managers.forEach { $0.startUpdatingLocation() }
  Thread {
    while readLine() != nil {}
    DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetMain()) }
  }.start()
  withExtendedLifetime(managers) { CFRunLoopRun() }
  let received = counters.map(\.locations)
  say("heard \(received.min() ?? 0) \(received.max() ?? 0) \(counters.map(\.failures).reduce(0, +))")
}

/// The largest error in meters, how many results are not a number, and the time of one computation in nanoseconds.
func geodesic(_ path: String) throws {
  let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
  let cases = lines.map { $0.split(separator: " ").compactMap { Double($0) } }.filter { $0.count >= 7 }
  let pairs = cases.map {
    (CLLocation(latitude: $0[0], longitude: $0[1]), CLLocation(latitude: $0[3], longitude: $0[4]), $0[6])
  }
  let begun = monotonicNanoseconds()
  let distances = pairs.map { $0.0.distance(from: $0.1) }
  let spent = monotonicNanoseconds() - begun
  let errors = zip(distances, pairs).map { abs($0 - $1.2) }
  say("\(pairs.count) \(errors.filter { !$0.isNaN }.max() ?? .nan) \(errors.count { $0.isNaN }) \(spent / pairs.count)")
}

let arguments = CommandLine.arguments.dropFirst()
let argument = arguments.dropFirst().first ?? ""
switch arguments.first {
case "host": try host()
case "follow": follow(Int(argument) ?? 1, filtering: false)
case "follow-filtered": follow(Int(argument) ?? 1, filtering: true)
case "slow":
  let manager = CLLocationManager()
  let sleeper = Sleeper(seconds: Double(argument) ?? 10)
  manager.delegate = sleeper
  manager.startUpdatingLocation()
  withExtendedLifetime((manager, sleeper)) { CFRunLoopRun() }
case "idle":
  let manager = CLLocationManager()
  say("idle")
  withExtendedLifetime(manager) { CFRunLoopRun() }
case "idle-after":
  // The updates are stopped, but the receiver continues.
  let manager = CLLocationManager()
  let counter = Counter(isSpeaking: true)
  manager.delegate = counter
  manager.startUpdatingLocation()
  while counter.locations < 5 { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  manager.stopUpdatingLocation()
  say("idle")
  withExtendedLifetime((manager, counter)) { CFRunLoopRun() }
case "geodesic": try geodesic(argument)
case let form: say("no form \(form ?? "")")
}
