import CoreLocation

@main @MainActor struct Swift6Client {
  static func main() async {
    // From here on, another thread may serve the main actor.
    await Task.yield()
    let model = LocationModel()
    do {
      let location = try await model.current()
      print("current: \(location === model.location), authorized: \(model.status == .authorizedAlways)")
    } catch {
      print("none: \(model.problem == .locationUnknown)")
      return
    }
    let feed = LocationFeed()
    let journal = Journal()
    for await location in feed.locations() {
      await journal.note(location)
      if await journal.ways.count == 2 { break }
    }
    print("ways: \(await journal.ways.map { $0 < 50 })")
  }
}
