import LocationIPC

/// What a manager's delegate is to be told once its run loop comes by, in its order. Locations that come one after the other are
/// told at once.
struct WaitingOutcomes {
  /// More are not kept for a client that does not come by: of the locations the oldest go, of the rest the newest, as the same
  /// word twice is of no use.
  static let most = 512
  /// As many events of what is monitored: the service keeps about a thousand of a program that does not come by, and more are told to one
  /// that is there.
  private static let mostEvents = 4096

  private var outcomes: [ManagerEngine.Outcome] = []
  /// So many of them have been told.
  private var told = 0

  /// How often the delegate is to be called.
  var count: Int { outcomes.count - told }

  /// How many locations wait to be told at once.
  mutating func add(_ location: CLLocation) -> Int {
    guard case .locations(var locations)? = outcomes.last else {
      if count < Self.most { outcomes.append(.locations([location])) }
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
    guard count < Self.most || outcome.isAnswer || (outcome.isEvent && count < Self.mostEvents) else { return false }
    outcomes.append(outcome)
    return true
  }

  mutating func next() -> ManagerEngine.Outcome? {
    guard told < outcomes.count else { return nil }
    defer { if told == outcomes.count || told == Self.most { forgetTold() } }
    told += 1
    return outcomes[told - 1]
  }

  private mutating func forgetTold() {
    outcomes.removeFirst(told)
    told = 0
  }

  /// Locations are not wanted any more, nor that there is none. `alsoMoves`: significant changes neither.
  mutating func dropLocations(alsoMoves: Bool = false) {
    forgetTold()
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
  fileprivate var isEvent: Bool { if case .monitored(let notice) = self { !notice.isAnswer } else { false } }

  /// Whether the program waits for it, and there are no more of them than it has asked for.
  fileprivate var isAnswer: Bool {
    switch self {
    case .fullAccuracy: true
    case .monitored(let notice): notice.isAnswer
    case .locations, .failure, .authorization, .paused, .resumed: false
    }
  }
}
