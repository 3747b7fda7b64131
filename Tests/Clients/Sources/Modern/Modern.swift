import CoreLocation

@main struct Modern {
  static func main() async throws {
    try await modelReceivesItsSource()
    await updatesSayThatThereAreInvalid()
    await monitorTells()
    await sessionTells()
    let places: Set = [
      CLLocationCoordinate2D(latitude: 1, longitude: 2), CLLocationCoordinate2D(latitude: 1, longitude: 2),
    ]
    print("places", places.count, places == [CLLocationCoordinate2D(latitude: 1, longitude: 2)])
  }

  @MainActor static func modelReceivesItsSource() async throws {
    let (model, source) = (LocationModel(), FakeSource())
    source.delegate = model
    source.location = CLLocation(latitude: 46.95, longitude: 7.45)
    source.requestLocation()
    if case .located(let locations) = model.state { print("located", locations.map(\.coordinate.latitude)) }
    source.location = nil
    source.requestLocation()
    if case .failed(let error) = model.state { print("failed", error.code == .locationUnknown) }
    do {
      _ = try await CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 0))
    } catch CLError.network {
      print("no network")
    }
  }

  static func updatesSayThatThereAreInvalid() async {
    do {
      for try await update in CLLocationUpdate.liveUpdates(.fitness) {
        if update.locationUnavailable {
          print("unavailable")
          break
        }
        if let location = update.location { print(location.horizontalAccuracy) }
      }
    } catch {
      print("updates:", (error as NSError).domain, (error as NSError).code)
    }
  }

  static func monitorTells() async {
    let monitor = await CLMonitor("client")
    let home = CLMonitor.CircularGeographicCondition(center: .init(latitude: 1, longitude: 2), radius: 100)
    await monitor.add(home, identifier: "home", assuming: .unsatisfied)
    do {
      for try await event in await monitor.events {
        print("monitor", event.identifier, event.state == .unmonitored, event.persistenceUnavailable)
        break
      }
    } catch {
      print(error)
    }
  }

  static func sessionTells() async {
    let session = CLServiceSession(authorization: .whenInUse)
    do {
      for try await diagnostic in session.diagnostics where !diagnostic.authorizationRequestInProgress {
        print("session", diagnostic.authorizationDenied)
        break
      }
    } catch {
      print(error)
    }
    session.invalidate()
  }
}
