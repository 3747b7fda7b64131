/// What a manager's delegate is to be told once its run loop comes by, in its order. Locations that come one after the other are
/// told at once.
struct WaitingOutcomes {
  /// More are not kept for a client that does not come by: of the locations the oldest go, of the rest the newest, as the same
  /// word twice is of no use.
  static let most = 512

  private var outcomes: [ManagerEngine.Outcome] = []

  /// How often the delegate is to be called.
  var count: Int { outcomes.count }

  /// How many locations wait to be told at once.
  mutating func add(_ location: CLLocation) -> Int {
    guard case .locations(var locations)? = outcomes.last else {
      if outcomes.count < Self.most { outcomes.append(.locations([location])) }
      return 1
    }
    // Not to be shared while it grows.
    outcomes.removeLast()
    if locations.count == Self.most { locations.removeFirst() }
    locations.append(location)
    outcomes.append(.locations(locations))
    return locations.count
  }

  mutating func add(_ outcome: ManagerEngine.Outcome) {
    // Somebody waits for an answer.
    if case .fullAccuracy = outcome { return outcomes.append(outcome) }
    if outcomes.count < Self.most { outcomes.append(outcome) }
  }

  mutating func next() -> ManagerEngine.Outcome? { outcomes.isEmpty ? nil : outcomes.removeFirst() }

  /// Locations are not wanted any more, nor that there is none.
  mutating func dropLocations() {
    outcomes.removeAll {
      switch $0 {
      case .locations, .failure(.locationUnknown), .paused, .resumed: true
      case .failure, .authorization, .fullAccuracy: false
      }
    }
  }
}
