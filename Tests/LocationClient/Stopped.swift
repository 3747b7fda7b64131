import CoreLocation

/// Prints how many timers of this process are armed after a manager has received a location and stopped its updates.
///
/// Only `CFRunLoopRun` runs the run loop here: with a time limit, Dispatch would start its threads, which have a timer.
func showStopped() {
  let (manager, listener) = (CLLocationManager(), Listener(limit: 1))
  listener.onEnd = { CFRunLoopStop(CFRunLoopGetCurrent()) }
  manager.delegate = listener
  manager.startUpdatingLocation()
  CFRunLoopRun()
  manager.stopUpdatingLocation()
  let end = Date(timeIntervalSinceNow: 30)
  var (armed, quiet) = (0, 0)
  // A repeating timer is unarmed for a moment when it fires.
  while quiet < 5, Date() < end {
    usleep(20_000)
    armed = armedTimers()
    quiet = armed == 0 ? quiet + 1 : 0
  }
  print("armed \(armed)")
  withExtendedLifetime((manager, listener)) {}
}

/// The kernel reports the time until each timer fires, which is 0 for an unarmed timer (proc_pid_fdinfo(5)).
private func armedTimers() -> Int {
  let folder = "/proc/self/fdinfo"
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return descriptors.count { descriptor in
    let text = (try? String(contentsOfFile: "\(folder)/\(descriptor)", encoding: .utf8)) ?? ""
    return text.contains("it_value: (") && !text.contains("it_value: (0, 0)")
  }
}
