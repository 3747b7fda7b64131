import LocationIPC

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

  /// Whether it was kept.
  @discardableResult
  mutating func add(_ outcome: ManagerEngine.Outcome) -> Bool {
    guard outcomes.count < Self.most || outcome.isAnswer else { return false }
    outcomes.append(outcome)
    return true
  }

  mutating func next() -> ManagerEngine.Outcome? { outcomes.isEmpty ? nil : outcomes.removeFirst() }

  /// Locations are not wanted any more, nor that there is none. `alsoMoves`: significant changes neither.
  mutating func dropLocations(alsoMoves: Bool = false) {
    outcomes.removeAll {
      switch $0 {
      case .locations, .failure(.locationUnknown), .paused, .resumed: true
      case .monitored(let notice): alsoMoves && notice.isMove
      case .failure, .authorization, .fullAccuracy: false
      }
    }
  }
}

extension ManagerEngine.Outcome {
  /// Whether the program waits for it, and there are no more of them than it has asked for.
  fileprivate var isAnswer: Bool {
    switch self {
    case .fullAccuracy: true
    case .monitored(let notice): notice.isAnswer
    case .locations, .failure, .authorization, .paused, .resumed: false
    }
  }
}
