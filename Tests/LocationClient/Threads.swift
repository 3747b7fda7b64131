import CoreLocation

// Managers that several threads share, and threads that start and end.

/// Runs `body` on this many threads at the same time, until they end: then everything that a thread holds is released, too.
func runThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  final class Body {
    let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
  let threads = (0..<count).map { _ in
    var thread = pthread_t()
    let body = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { body in
        guard let body = unsafe body else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().call()
        return nil
      }, body)
    precondition(code == 0)
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Threads that had a manager leave nothing behind; the descriptors of a run loop can be counted.
func showThreadsGone() {
  func descriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
  let before = descriptors()
  for _ in 0..<100 {
    runThreads(1) {
      let (manager, recorder) = recorded { $0.startUpdatingLocation() }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0))
      withExtendedLifetime((manager, recorder)) {}
    }
  }
  // A run loop has three descriptors, some of which Dispatch closes a moment after the thread's end; the service has fewer than
  // fifty.
  func isKept() -> Bool { descriptors() - before >= 50 }
  for _ in 0..<100 where isKept() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1)) }
  print("kept \(isKept())")
}

/// One manager that four threads use at the same time while its delegate is swapped: no callback is lost or mixed up. The test
/// prints no more lines than the manager keeps for a program that does not run its loop.
func shareManager() {
  let (manager, recorder) = (CLLocationManager(), RefusalRecorder())
  let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: -1, identifier: "shared")
  manager.delegate = recorder
  nonisolated(unsafe) let shared = (manager: manager, recorder: recorder, region: region)
  let worker = Thread {
    runThreads(4) {
      for _ in 0..<120 {
        unsafe shared.manager.startUpdatingLocation()
        unsafe shared.manager.startMonitoring(for: shared.region)
        unsafe shared.manager.stopUpdatingLocation()
        unsafe shared.manager.delegate = shared.recorder
      }
    }
  }
  worker.start()
  func refusals() -> Int { recorder.words.count { $0 == "region 5" } }
  run { refusals() == 480 }
  print("shared \(refusals())")
}
