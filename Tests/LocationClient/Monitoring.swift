import CoreLocation

// A program that monitors regions: it executes the commands on its standard input, one per line, and prints what it receives.
// Several managers are distinguished by numbers.

/// Prints each callback of one manager.
private final class MonitoringReporter: NSObject, CLLocationManagerDelegate {
  let number: Int
  /// The program ends during the callback that prints this line, like in a crash.
  var diesAt: String?

  init(_ number: Int) { self.number = number }

  private func send(_ words: String) {
    say("\(number) \(words)")
    if words == diesAt { kill(getpid(), SIGKILL) }
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    send("started \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    send("failed \(region?.identifier.prefix(20) ?? "-") \((error as NSError).code)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    send("state \(region.identifier) \(state.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    send("entered \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    send("left \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    let (isBegun, isOver) = (visit.arrivalDate != .distantPast, visit.departureDate != .distantFuture)
    send("visit \(isBegun) \(isOver) \(String(format: "%.3f", visit.coordinate.latitude))")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation]) {
    for location in found {
      send("moved \(String(format: "%.3f", location.coordinate.latitude)) \(manager.location === location)")
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    send("error \((error as NSError).code)")
  }
}

private func words(of event: CLMonitor.Event) -> String {
  let flags = [
    (event.authorizationDenied, "denied"), (event.conditionUnsupported, "unsupported"),
    (event.conditionLimitExceeded, "too-many"), (event.persistenceUnavailable, "unkept"),
  ]
  return (["event", event.identifier, "\(event.state.rawValue)"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
}

@MainActor private final class Monitored {
  private var managers: [(manager: CLLocationManager, reporter: MonitoringReporter)] = []
  private var monitor: CLMonitor?
  private var loop: Task<Void, any Error>?

  func receive(_ line: String) {
    let command = line.split(separator: " ").map(String.init)
    func number(_ index: Int) -> Int { Int(command[index]) ?? 0 }
    func manager(_ index: Int = 1) -> CLLocationManager { managers[number(index) - 1].manager }
    func region(_ index: Int) -> CLCircularRegion {
      let numbers = command[(index + 1)...].prefix(3).compactMap(Double.init)
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2],
        identifier: command[index])
      region.notifyOnEntry = !command.contains("exit-only")
      return region
    }
    switch command.first {
    case "manager":
      let new = CLLocationManager()
      let reporter = MonitoringReporter(managers.count + 1)
      reporter.diesAt = command.count > 1 ? command[1...].joined(separator: " ") : nil
      new.delegate = reporter
      managers.append((new, reporter))
    case "region": manager().startMonitoring(for: region(2))
    case "many":
      for number in 0..<number(2) {
        let place = CLLocationCoordinate2D(latitude: Double(number % 80), longitude: Double(number / 80 % 180))
        manager().startMonitoring(for: CLCircularRegion(center: place, radius: 50, identifier: "\(number)"))
      }
    case "long":
      manager().startMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(), radius: 50, identifier: String(repeating: "x", count: number(2))))
    case "beacon": manager().startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "beacon"))
    case "stop": manager().stopMonitoring(for: CLCircularRegion(center: .init(), radius: 1, identifier: command[2]))
    case "state": manager().requestState(for: CLCircularRegion(center: .init(), radius: 1, identifier: command[2]))
    case "monitored":
      let names = manager().monitoredRegions.map { region in
        region.identifier + (region.notifyOnEntry ? "" : "-exit-only")
      }
      say("monitored \(names.count < 10 ? names.sorted().joined(separator: " ") : "\(names.count)")")
    case "same": say("same \(!manager().monitoredRegions.isDisjoint(with: manager(2).monitoredRegions))")
    case "visits":
      if command[2] == "on" { manager().startMonitoringVisits() } else { manager().stopMonitoringVisits() }
    case "changes":
      if command[2] == "on" {
        manager().startMonitoringSignificantLocationChanges()
      } else {
        manager().stopMonitoringSignificantLocationChanges()
      }
    case "location": say("location \(manager().location != nil)")
    case "monitor": open(command[1], diesAt: command.count > 2 ? command[2...].joined(separator: " ") : nil)
    case "add": add(region(1), assuming: command.count > 5 ? CLMonitor.Event.State(rawValue: UInt(number(5))) : nil)
    case "add-beacon":
      guard let monitor else { return }
      Task { await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: command[1]) }
    case "remove":
      guard let monitor else { return }
      Task {
        await monitor.remove(command[1])
        say("removed")
      }
    case "records":
      guard let monitor else { return }
      Task {
        var words: [String] = []
        for identifier in await monitor.identifiers {
          guard let record = await monitor.record(for: identifier) else { continue }
          words.append("\(identifier) \(record.lastEvent.state.rawValue)")
        }
        say("records \(words.sorted().joined(separator: ", "))")
      }
    case "end": exit(0)
    default: say("no command \(line)")
    }
  }

  private func open(_ name: String, diesAt: String?) {
    Task { @MainActor in
      let monitor = await CLMonitor(name)
      self.monitor = monitor
      say("open \(await monitor.identifiers.sorted().joined(separator: " "))")
      loop = Task {
        for try await event in await monitor.events {
          let before = await monitor.record(for: event.identifier)?.lastEvent.state.rawValue
          say("\(words(of: event)) after \(before.map { "\($0)" } ?? "none")")
          if words(of: event) == diesAt { kill(getpid(), SIGKILL) }
        }
      }
    }
  }

  private func add(_ region: CLCircularRegion, assuming state: CLMonitor.Event.State?) {
    guard let monitor else { return }
    let condition = CLMonitor.CircularGeographicCondition(center: region.center, radius: region.radius)
    let identifier = region.identifier
    Task {
      if let state {
        await monitor.add(condition, identifier: identifier, assuming: state)
      } else {
        await monitor.add(condition, identifier: identifier)
      }
    }
  }
}

/// Executes the commands on standard input until its end.
@MainActor func followMonitoring() {
  let monitored = Monitored()
  Thread {
    while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { monitored.receive(line) } } }
    DispatchQueue.main.async { exit(0) }
  }.start()
  withExtendedLifetime(monitored) { CFRunLoopRun() }
}

/// A second monitor with a name that is in use.
func openMonitorTwice() {
  Task {
    let first = await CLMonitor("twice")
    let second = await CLMonitor("twice")
    print(await first.identifiers, await second.identifiers)
  }
  RunLoop.main.run()
}
