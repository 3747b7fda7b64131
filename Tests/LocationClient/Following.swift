import CoreLocation

// Programs that run until their standard input ends, while the test changes the state of the service.

/// Prints each location and each failure.
final class Reporter: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    for location in found { say("at \(Int((location.timestamp.timeIntervalSince1970 * 1000).rounded()))") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if case CLError.locationUnknown = error { say("unknown") } else { say("error \(error)") }
  }
}

/// Writes one line immediately, without a buffer, also into a pipe.
func say(_ words: String) { try? FileHandle.standardOutput.write(contentsOf: Data((words + "\n").utf8)) }

/// Whether a pipe without a reader still ends this program, as it did at its start.
func isBrokenPipeFatal() -> Bool {
  var action = sigaction()
  var blocked = sigset_t()
  guard unsafe sigaction(SIGPIPE, nil, &action) == 0, unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked) == 0 else {
    return false
  }
  let isIgnored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 0
  return unsafe !isIgnored && sigismember(&blocked, SIGPIPE) == 0
}

/// Stops the main run loop at the end of standard input.
func stopWithInput() {
  Thread {
    while readLine() != nil {}
    DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetMain()) }
  }.start()
}

/// Receives updates until standard input ends.
func followUntilEnd() {
  // The parent process may have ignored or blocked the signal.
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

/// A thousand managers with updates: each receives the same locations.
func showCrowd() {
  let crowd = (0..<1000).map { _ in recorded { $0.startUpdatingLocation() } }
  run { crowd.allSatisfy { $0.recorder.locations.count >= 3 } }
  let counts = Set(crowd.map(\.recorder.locations.count))
  say("crowd \((counts.max() ?? 0) - (counts.min() ?? 0)) \(crowd.flatMap(\.recorder.words).count)")
  _ = readLine()
}

/// A thousand managers that request one location at the same time, with a hundred accuracies: each receives one answer.
func showCrowdOfRequests() {
  let crowd = (0..<1000).map { number in
    recorded {
      $0.desiredAccuracy = Double(number % 100 + 1)
      $0.requestLocation()
    }
  }
  run { crowd.allSatisfy { !($0.recorder.locations.isEmpty && $0.recorder.words.isEmpty) } }
  // A second answer would come with the next epochs.
  let witness = recorded { $0.startUpdatingLocation() }
  run { witness.recorder.locations.count >= 3 }
  let answers = crowd.map { $0.recorder.locations.count + $0.recorder.words.count }
  say("answered \(answers.filter { $0 == 1 }.count) \(crowd.flatMap(\.recorder.words).count)")
}

/// A hundred tasks that iterate at the same time; each receives its locations.
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
