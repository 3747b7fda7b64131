import CoreLocation

// A program written for Apple's framework, in several forms: `location-client FORM`. Every line that it prints is a callback. The
// manager's tests run it with LOCATIOND_SOURCE=simulator.

final class Listener: NSObject, CLLocationManagerDelegate {
  private let limit: Int
  private var locations = 0
  private let thread = Thread.current
  var onEnd: () -> Void = {}

  init(limit: Int) { self.limit = limit }

  private func say(_ words: String) {
    // Callbacks come on the thread that created the manager.
    print(Thread.current == thread ? words : "WRONG THREAD \(words)")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    say("authorization \(manager.authorizationStatus.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    locations += found.count
    let inOrder = zip(found, found.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp }
    let isLatest = manager.location === found.last
    say(
      "locations \(found.count) \(inOrder) \(isLatest) \(found.last?.sourceInformation?.isSimulatedBySoftware ?? false)"
    )
    if locations >= limit { onEnd() }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if case CLError.locationUnknown = error { say("unknown") } else { say("error \(error)") }
    onEnd()
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    say("region \(region?.identifier ?? "-")")
    onEnd()
  }
}

/// Runs this thread's run loop until the listener has enough.
func listen(limit: Int, _ begin: (CLLocationManager) -> Void) {
  let manager = CLLocationManager()
  let listener = Listener(limit: limit)
  let runLoop = CFRunLoopGetCurrent()
  listener.onEnd = { CFRunLoopStop(runLoop) }
  manager.delegate = listener
  begin(manager)
  CFRunLoopRun()
  manager.stopUpdatingLocation()
}

switch CommandLine.arguments.dropFirst().first {
case "updates": listen(limit: 3) { $0.startUpdatingLocation() }
case "request": listen(limit: 1) { $0.requestLocation() }
case "region":
  listen(limit: 1) { manager in
    let center = CLLocationCoordinate2D(latitude: 47, longitude: 8)
    manager.startMonitoring(for: CLCircularRegion(center: center, radius: -1, identifier: "home"))
  }
case "thread":
  let done = DispatchSemaphore(value: 0)
  Thread {
    listen(limit: 2) { $0.startUpdatingLocation() }
    done.signal()
  }.start()
  done.wait()
case "run-loop-run":
  let manager = CLLocationManager()
  let listener = Listener(limit: 2)
  manager.delegate = listener
  listener.onEnd = { exit(0) }
  manager.startUpdatingLocation()
  RunLoop.main.run()
case "main-queue":
  let manager = CLLocationManager()
  let listener = QueueListener()
  manager.delegate = listener
  manager.requestLocation()
  withExtendedLifetime((manager, listener)) { dispatchMain() }
case "live":
  Task {
    var count = 0
    for try await update in CLLocationUpdate.liveUpdates() {
      print("live \(update.location != nil)")
      count += 1
      if count == 2 || update.locationUnavailable { exit(0) }
    }
  }
  RunLoop.main.run()
case "slow":
  // One epoch comes per second, and the run loop does not run for three seconds.
  let manager = CLLocationManager()
  let listener = SlowListener()
  manager.delegate = listener
  manager.startUpdatingLocation()
  RunLoop.main.run()
case "stopped": showStopped()
case "follow": followUntilEnd()
case "commands": followCommands()
case "monitoring": followMonitoring()
case "monitor-twice": openMonitorTwice()
case "live-crowd": showLiveCrowd()
case "crowd": showCrowd()
case "crowd-request": showCrowdOfRequests()
case "nested": nestRunLoop()
case "settings": showSettings()
case "cached": showCached()
case "remembered": showRemembered()
case "older": showOlder()
case "stop-in-callback": stopInCallback()
case "free-in-callback": freeInCallback()
case "free-elsewhere": freeElsewhere()
case "deaf-thread": makeOnDeafThread()
case "request-in-vain": requestInVain()
case "refusals": showRefusals()
case "completions": showCompletions()
case "first-callback": showFirstCallback()
case "late-delegate": showLateDelegate()
case "request-before-receiver": requestBeforeReceiver()
case "threads-gone": showThreadsGone()
case "geocode": showGeocoding()
case "shared": shareManager()
case let form?: print("no form \(form)")
case nil: print("usage: location-client FORM")
}
