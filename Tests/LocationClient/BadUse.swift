import CoreLocation

// Mistakes of programs: none of them is fatal, and other managers are not disturbed.

/// Updates are stopped in another manager's callback, while locations wait for delivery.
func stopInCallback() {
  let (stopping, other) = (recorded(), recorded())
  other.recorder.onLocation = { [manager = stopping.manager, recorder = other.recorder] in
    guard recorder.locations.count == 1 else { return }
    // Two further epochs come meanwhile, and the current one waits for the other manager.
    Thread.sleep(forTimeInterval: 2.2)
    manager.stopUpdatingLocation()
  }
  other.manager.startUpdatingLocation()
  stopping.manager.startUpdatingLocation()
  run { other.recorder.locations.count >= 4 }
  print("stopped \(stopping.recorder.locations.count)")
}

/// A delegate, its manager and another manager's delegate are released in a callback.
func freeInCallback() {
  var victims = [recorded(), recorded()]
  let witness = recorded()
  victims[0].recorder.onLocation = {
    victims.removeAll()
  }
  for (manager, _) in victims + [witness] { manager.startUpdatingLocation() }
  weak let first = victims[0].recorder
  weak let manager = victims[1].manager
  run { witness.recorder.locations.count >= 2 }
  print("freed \(first == nil) \(manager == nil)")
}

/// A manager is released on another thread than its own, while locations are delivered to it.
func freeElsewhere() {
  let witness = recorded()
  witness.manager.startUpdatingLocation()
  final class Box: @unchecked Sendable { var pairs: [(CLLocationManager, Recorder)] = [] }
  for _ in 0..<3 {
    let box = Box()
    box.pairs = (0..<100).map { _ in recorded { $0.startUpdatingLocation() } }
    let done = DispatchSemaphore(value: 0)
    Thread {
      box.pairs = []
      done.signal()
    }.start()
    let received = witness.recorder.locations.count
    run { witness.recorder.locations.count > received }
    done.wait()
  }
  print("let go")
}

/// A manager on a thread without a run loop receives nothing, and the program prints a message about it.
func makeOnDeafThread() {
  nonisolated(unsafe) var deaf: (manager: CLLocationManager, recorder: Recorder)?
  let done = DispatchSemaphore(value: 0)
  Thread {
    unsafe deaf = recorded { $0.startUpdatingLocation() }
    done.signal()
  }.start()
  done.wait()
  let witness = recorded()
  witness.manager.startUpdatingLocation()
  run { witness.recorder.locations.count >= 3 }
  print("deaf \(unsafe deaf?.recorder.locations.count ?? -1)")
}

/// Delegates without the methods for the answer, and no delegate at all.
func requestInVain() {
  final class Silent: NSObject, CLLocationManagerDelegate {}
  let (silent, vain) = (CLLocationManager(), CLLocationManager())
  let delegate = Silent()
  silent.delegate = delegate
  silent.requestLocation()
  vain.requestLocation()
  let witness = recorded()
  witness.manager.requestLocation()
  run { !(witness.recorder.locations.isEmpty && witness.recorder.words.isEmpty) }
  // Pending deliveries for the other managers come in the same turn or in the next.
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
  print("answered \(witness.recorder.locations.count) \(witness.recorder.words.count)")
  withExtendedLifetime(delegate) {}
}

/// A nested run loop inside a block of the main queue.
func nestRunLoop() {
  DispatchQueue.main.async {
    let (manager, recorder) = recorded()
    manager.startUpdatingLocation()
    // The main queue is busy with this block.
    run { recorder.locations.count >= 2 }
    print("nested \(recorder.locations.count)")
    exit(0)
  }
  RunLoop.main.run()
}
