import CoreLocation

/// A manager that has had a location and has stopped its updates: how many of this process's timers stay armed.
///
/// Only `CFRunLoopRun` runs the run loop here: with a limit it would have Dispatch start its threads, which have a timer.
func showStopped() {
  let (manager, listener) = (CLLocationManager(), Listener(limit: 1))
  listener.onEnd = { CFRunLoopStop(CFRunLoopGetCurrent()) }
  manager.delegate = listener
  manager.startUpdatingLocation()
  CFRunLoopRun()
  manager.stopUpdatingLocation()
  let end = Date(timeIntervalSinceNow: 30)
  var (armed, quiet) = (0, 0)
  // A repeated timer is not armed for a moment when it fires.
  while quiet < 5, Date() < end {
    usleep(20_000)
    armed = armedTimers()
    quiet = armed == 0 ? quiet + 1 : 0
  }
  print("armed \(armed)")
  withExtendedLifetime((manager, listener)) {}
}

/// The kernel shows the time that is left until a timer fires; none is left of a disarmed one (proc_pid_fdinfo(5)).
private func armedTimers() -> Int {
  let folder = "/proc/self/fdinfo"
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return descriptors.count { descriptor in
    let text = (try? String(contentsOfFile: "\(folder)/\(descriptor)", encoding: .utf8)) ?? ""
    return text.contains("it_value: (") && !text.contains("it_value: (0, 0)")
  }
}
