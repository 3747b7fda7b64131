import CoreLocation

@main struct AsyncApp {
  static func main() async throws {
    let session = CLServiceSession(authorization: .whenInUse)
    try await follow()
    session.invalidate()
    print("first of a task: \(try await firstLocation() != nil)")
    print("cancelled: \(await endsWhenCancelled())")
  }

  /// Receives three locations, and then stops.
  static func follow() async throws {
    var count = 0
    var last: CLLocation?
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      if update.authorizationDenied || update.authorizationDeniedGlobally {
        print("denied")
        return
      }
      if update.locationUnavailable { print("unavailable") }
      guard let location = update.location else { continue }
      if let last {
        print("later: \(location.timestamp > last.timestamp), near: \(location.distance(from: last) < 50)")
      }
      last = location
      count += 1
      if count == 3 { break }
    }
  }

  /// With a timeout, which Core Location does not have.
  static func firstLocation() async throws -> CLLocation? {
    try await withThrowingTaskGroup(of: CLLocation?.self) { group in
      group.addTask {
        for try await update in CLLocationUpdate.liveUpdates() {
          if let location = update.location { return location }
        }
        return nil
      }
      group.addTask {
        try await Task.sleep(for: .seconds(20))
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// A task that receives updates until it is canceled.
  static func endsWhenCancelled() async -> Bool {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
        continuation.yield()
      }
    }
    for await _ in begun { break }
    task.cancel()
    _ = await task.result
    return task.isCancelled
  }
}
