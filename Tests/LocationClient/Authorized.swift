import CoreLocation

// A program of a user who needs authorization: it executes the commands on its standard input, one per line, and prints what it
// receives.

/// Prints each callback.
final class AuthorizationReporter: NSObject, CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { say(words(of: manager)) }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    for location in found { say(words(of: location)) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    say("error \((error as NSError).code)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    say("monitored \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    say("\(region.identifier) \(state.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    say("unmonitored \(region?.identifier ?? "-") \((error as NSError).code)")
  }
}

private func words(of manager: CLLocationManager) -> String {
  "authorization \(manager.authorizationStatus.rawValue)"
    + (manager.accuracyAuthorization == .reducedAccuracy ? " reduced" : "")
    + (CLLocationManager.locationServicesEnabled() ? "" : " off")
}

private func words(of location: CLLocation) -> String { location.horizontalAccuracy < 1000 ? "fix" : "coarse" }

private func words(of error: (any Error)?) -> String { error.map { "\(($0 as NSError).code)" } ?? "nil" }

private func words(of update: CLLocationUpdate) -> String {
  let flags = [
    (update.authorizationDenied, "denied"), (update.authorizationDeniedGlobally, "off"),
    (update.authorizationRestricted, "restricted"), (update.insufficientlyInUse, "unused"),
    (update.locationUnavailable, "unavailable"), (update.accuracyLimited, "limited"),
    (update.serviceSessionRequired, "session"), (update.authorizationRequestInProgress, "asking"),
  ]
  return (["live"] + flags.filter(\.0).map(\.1) + (update.location.map { [words(of: $0)] } ?? [])).joined(
    separator: " ")
}

private func words(of event: CLMonitor.Event) -> String {
  let flags = [
    (event.authorizationDenied, "denied"), (event.authorizationDeniedGlobally, "off"),
    (event.insufficientlyInUse, "unused"), (event.accuracyLimited, "limited"),
    (event.authorizationRequestInProgress, "asking"),
  ]
  return (["event \(event.state.rawValue)"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
}

private func words(of diagnostic: CLServiceSession.Diagnostic) -> String {
  let flags = [
    (diagnostic.authorizationDenied, "denied"), (diagnostic.authorizationDeniedGlobally, "off"),
    (diagnostic.authorizationRestricted, "restricted"), (diagnostic.insufficientlyInUse, "unused"),
    (diagnostic.fullAccuracyDenied, "inexact"), (diagnostic.alwaysAuthorizationDenied, "not-always"),
    (diagnostic.serviceSessionRequired, "session"), (diagnostic.authorizationRequestInProgress, "asking"),
  ]
  return (["session"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
}

private func words(of diagnostic: CLBackgroundActivitySession.Diagnostic) -> String {
  let flags = [
    (diagnostic.authorizationDenied, "denied"), (diagnostic.insufficientlyInUse, "unused"),
    (diagnostic.serviceSessionRequired, "session"), (diagnostic.authorizationRequestInProgress, "asking"),
  ]
  return (["activity"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
}

/// The manager, the session and the tasks that the commands started.
@MainActor private final class Commanded {
  private let manager = CLLocationManager()
  private let reporter = AuthorizationReporter()
  private var session: CLServiceSession?
  private var activity: CLBackgroundActivitySession?
  private var tasks: [Task<Void, any Error>] = []

  init() { manager.delegate = reporter }

  func receive(_ line: String) {
    let command = line.split(separator: " ").map(String.init)
    switch command.first {
    case "status": say("is " + words(of: manager))
    case "ask": manager.requestWhenInUseAuthorization()
    case "ask-always": manager.requestAlwaysAuthorization()
    case "purpose": manager.purpose = command.dropFirst().joined(separator: " ")
    case "start": manager.startUpdatingLocation()
    case "stop": manager.stopUpdatingLocation()
    case "once": manager.requestLocation()
    case "where": say(manager.location.map { words(of: $0) } ?? "nowhere")
    case "background":
      manager.allowsBackgroundLocationUpdates = true
      say("background \(manager.allowsBackgroundLocationUpdates)")
    case "full":
      manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: command[1]) { say("full \(words(of: $0))") }
    case "full-async":
      let (manager, key) = (manager, command[1])
      Task { @MainActor in
        do {
          try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: key)
          say("full nil")
        } catch {
          say("full \(words(of: error))")
        }
      }
    case "session":
      let level: CLServiceSession.AuthorizationRequirement =
        switch command[1] {
        case "always": .always
        case "whenInUse": .whenInUse
        default: .none
        }
      let session =
        command.count > 2
        ? CLServiceSession(authorization: level, fullAccuracyPurposeKey: command[2])
        : CLServiceSession(authorization: level)
      self.session = session
      tasks.append(
        Task {
          for try await diagnostic in session.diagnostics { say(words(of: diagnostic)) }
          say("session over")
        })
    case "end-session": session?.invalidate()
    case "activity":
      let activity = CLBackgroundActivitySession()
      self.activity = activity
      tasks.append(
        Task {
          for try await diagnostic in activity.diagnostics { say(words(of: diagnostic)) }
        })
    case "live":
      tasks.append(Task { for try await update in CLLocationUpdate.liveUpdates() { say(words(of: update)) } })
    case "region":
      // The position of the simulator.
      let place = CLLocationCoordinate2D(latitude: 47.285, longitude: 8.565)
      manager.startMonitoring(for: CLCircularRegion(center: place, radius: 5000, identifier: command[1]))
    case "visits": manager.startMonitoringVisits()
    case "monitor":
      tasks.append(
        Task {
          let monitor = await CLMonitor("zoo")
          let place = CLLocationCoordinate2D(latitude: 47.285, longitude: 8.565)
          await monitor.add(CLMonitor.CircularGeographicCondition(center: place, radius: 5000), identifier: "zoo")
          for try await event in await monitor.events { say(words(of: event)) }
        })
    case "quit": exit(0)
    default: say("no command \(line)")
    }
  }
}

/// Executes the commands on standard input until `quit`.
@MainActor func followCommands() {
  let commanded = Commanded()
  Thread {
    while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { commanded.receive(line) } } }
    DispatchQueue.main.async { exit(0) }
  }.start()
  withExtendedLifetime(commanded) { CFRunLoopRun() }
}
