import CoreLocation

// Programs that go on until their standard input ends, as something is done to the service meanwhile.

/// Says each location and each failure.
final class Reporter: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    for location in found { say("at \(Int((location.timestamp.timeIntervalSince1970 * 1000).rounded()))") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if case CLError.locationUnknown = error { say("unknown") } else { say("error \(error)") }
  }
}

/// One line at once, whoever reads.
func say(_ words: String) { try? FileHandle.standardOutput.write(contentsOf: Data((words + "\n").utf8)) }

/// Whether a pipe without a reader still ends this program, as it did when it was begun.
func isBrokenPipeFatal() -> Bool {
  var action = sigaction()
  var blocked = sigset_t()
  guard unsafe sigaction(SIGPIPE, nil, &action) == 0, unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked) == 0 else {
    return false
  }
  let isIgnored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 0
  return unsafe !isIgnored && sigismember(&blocked, SIGPIPE) == 0
}

/// Ends the main run loop with standard input.
func stopWithInput() {
  Thread {
    while readLine() != nil {}
    DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetMain()) }
  }.start()
}

/// Follows until standard input ends.
func followUntilEnd() {
  // Whoever began this may have ignored it, or held it back.
  signal(SIGPIPE, SIG_DFL)
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  let (manager, reporter) = (CLLocationManager(), Reporter())
  manager.delegate = reporter
  manager.startUpdatingLocation()
  stopWithInput()
  withExtendedLifetime((manager, reporter)) { CFRunLoopRun() }
  say("pipe \(isBrokenPipeFatal())")
}

/// A thousand managers that follow: each hears what the others hear.
func showCrowd() {
  let crowd = (0..<1000).map { _ in recorded { $0.startUpdatingLocation() } }
  run { crowd.allSatisfy { $0.recorder.locations.count >= 3 } }
  let counts = Set(crowd.map(\.recorder.locations.count))
  say("crowd \((counts.max() ?? 0) - (counts.min() ?? 0)) \(crowd.flatMap(\.recorder.words).count)")
  _ = readLine()
}

/// A thousand managers that ask at once for one location each, with a hundred accuracies: each is answered once.
func showCrowdOfRequests() {
  let crowd = (0..<1000).map { number in
    recorded {
      $0.desiredAccuracy = Double(number % 100 + 1)
      $0.requestLocation()
    }
  }
  run { crowd.allSatisfy { !($0.recorder.locations.isEmpty && $0.recorder.words.isEmpty) } }
  // What would come twice comes with the next epochs.
  let witness = recorded { $0.startUpdatingLocation() }
  run { witness.recorder.locations.count >= 3 }
  let answers = crowd.map { $0.recorder.locations.count + $0.recorder.words.count }
  say("answered \(answers.filter { $0 == 1 }.count) \(crowd.flatMap(\.recorder.words).count)")
}

/// A hundred tasks that iterate at once; each has its locations.
func showLiveCrowd() {
  Task {
    let located = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          var count = 0
          for try await update in CLLocationUpdate.liveUpdates() {
            guard update.location != nil else { return false }
            count += 1
            if count == 3 { return true }
          }
          return false
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    say("live \(located)")
    exit(0)
  }
  RunLoop.main.run()
}
