import Fleet
import Geodesy
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdService
import Regions

/// Evaluates fixes and records the resulting events.
extension MonitoringService {
  /// Up to this many region states are stored individually; more are stored as a snapshot of the whole list.
  private static let mostChanges = 5000

  func receive(_ noticed: MonitoringFix) {
    let (fix, speedBound) = (noticed.fix, noticed.speedBound)
    if fix.qualityFlag == nil { latest = fix }
    var step = MonitoringStep()
    for list in ordered where !list.active.isEmpty {
      if list.watchesRegions {
        take(list.monitor.handle(.fix(fix, received: noticed.received), at: present), of: list, fix, &step)
      }
      if list.active.contains(.visits), list.visits != nil {
        take(list.visits?.handle(.fix(fix), at: present) ?? [], of: list, fix, &step)
      }
      if list.active.contains(.significantChanges), list.significantChange != nil, !list.awaitsFirstChange {
        take(list.significantChange?.handle(.fix(fix), at: present) ?? [], of: list, &step)
      }
    }
    keep(step)
    plan(after: fix, speedBound: speedBound)
  }

  /// Handles a hint, other than a position, that the machine has arrived at a place.
  func takeHint() {
    var step = MonitoringStep()
    for list in ordered where list.active.contains(.visits) && list.visits != nil {
      take(list.visits?.handle(.hint, at: present) ?? [], of: list, latest, &step)
    }
    keep(step)
  }

  /// Runs the state machines of a list whose deadlines have passed.
  func wake(_ list: MonitoredList, _ step: inout MonitoringStep) {
    if let deadline = list.monitor.nextDeadline, deadline <= present {
      take(list.monitor.handle(.wake, at: present), of: list, nil, &step)
    }
    if list.active.contains(.visits), list.visits != nil {
      take(list.visits?.handle(.wake, at: present) ?? [], of: list, latest, &step)
    }
    if list.active.contains(.significantChanges), list.significantChange != nil {
      take(list.significantChange?.handle(.wake, at: present) ?? [], of: list, &step)
    }
  }

  /// Called when a program starts, or starts again, to monitor significant changes: the program receives the current
  /// position, if it is known, as its first change.
  func startSignificantChanges(_ list: MonitoredList) {
    guard list.awaitsFirstChange, list.active.contains(.significantChanges) else { return }
    list.awaitsFirstChange = false
    var step = MonitoringStep()
    take(list.significantChange?.handle(.start(latest: latest), at: present) ?? [], of: list, &step)
    keep(step)
  }

  // MARK: - Borders

  private func take(
    _ actions: [RegionMonitor.Action], of list: MonitoredList, _ fix: PositionFix?, _ step: inout MonitoringStep
  ) {
    var changes: [MonitoringChange] = []
    for action in actions {
      switch action {
      case .crossed(let crossing):
        changes.append(.state(crossing.identifier, crossing.state))
        let event = MonitoringEvent(
          id: 0, .region(crossing.identifier), .crossed(crossing.state), time: crossing.time, fix: fix)
        add(event, of: list, isWanted: crossing.isWanted, &step)
      case .determined(let identifier, let state):
        changes.append(.state(identifier, state))
        let event = MonitoringEvent(id: 0, .region(identifier), .determined(state), time: fix?.time, fix: fix)
        add(event, of: list, isWanted: list.isReceived, &step)
      case .undecided(let identifier):
        // The stored state remains the last known one, so that a crossing that is found later is reported as a
        // crossing.
        let event = MonitoringEvent(id: 0, .region(identifier), .determined(.unknown), time: time, fix: nil)
        add(event, of: list, isWanted: true, &step)
      case .state: break
      }
    }
    guard !changes.isEmpty else { return }
    // States with an event are stored in the event's transaction. Without an event, a snapshot is cheaper for many
    // states of one list.
    let hasEvents = step.events.contains { $0.list == list.id }
    if changes.count > Self.mostChanges, !hasEvents {
      let isKept: Void? = withStore { store throws(DatabaseError) in try store.snapshot(list.id, list.monitor) }
      if isKept != nil { return }
    }
    step.changes.append((list.id, changes))
  }

  /// - Parameter isWanted: whether the event is stored for its pending deliveries to the user. If `false`, only followers that are
  ///   currently connected receive it, and the destinations of positions.
  private func add(_ event: MonitoringEvent, of list: MonitoredList, isWanted: Bool, _ step: inout MonitoringStep) {
    var pendingDeliveries = isWanted ? pendingDeliveries(event, of: list) : []
    if pendingDeliveries.isEmpty { notifyListeners(of: list, event, isWanted: isWanted) }
    // Destinations need each of them: after an entry, Home Assistant waits for the exit.
    if hasDestinations, list.list.isOfLocationctl, list.active.contains(event.subject.use), FleetEvent(event) != nil {
      pendingDeliveries.insert(.destinations)
    }
    guard !pendingDeliveries.isEmpty else { return }
    step.events.append(
      NewEvent(list: list.id, subject: event.subject, body: event.keptBytes, pendingDeliveries: pendingDeliveries))
  }

  /// The ways in which an event has to be delivered to its user.
  private func pendingDeliveries(_ event: MonitoringEvent, of list: MonitoredList) -> Set<MonitoringDelivery> {
    let isAllowed = list.active.contains(event.subject.use)
    var pendingDeliveries: Set<MonitoringDelivery> = isAllowed && list.isReceived ? [.programs] : []
    // When a region's state becomes known, no command runs. When it becomes unknown, a command runs even if access is
    // not allowed.
    let isUndecided = event.kind == .determined(.unknown)
    if case .determined = event.kind, !isUndecided { return pendingDeliveries }
    let launch = withStore { store throws(DatabaseError) in try store.launch(list.id, event.subject) }
    guard let launch else { return pendingDeliveries }
    if isAllowed || isUndecided, launch.command(for: event) != nil { pendingDeliveries.insert(.command) }
    if launch.isShown, isAllowed || isUndecided || list.active.contains(.notifications) {
      pendingDeliveries.insert(.notification)
    }
    return pendingDeliveries
  }

  // MARK: - Visits and significant changes

  private func take(
    _ actions: [VisitDetector.Action], of list: MonitoredList, _ fix: PositionFix?, _ step: inout MonitoringStep
  ) {
    for action in actions {
      switch action {
      case .arrived(let visit):
        add(
          MonitoringEvent(id: 0, .visits, .arrived(visit), time: visit.arrival, fix: fix), of: list, isWanted: true,
          &step)
        step.visits.append((list.id, visit))
      case .departed(let visit):
        add(
          MonitoringEvent(id: 0, .visits, .departed(visit), time: visit.departure, fix: fix), of: list, isWanted: true,
          &step)
        step.visits.append((list.id, visit))
      }
      step.progress.append((list.id, ProgressKey.stay, list.visits?.stay?.keptBytes))
    }
  }

  private func take(_ actions: [SignificantChange.Action], of list: MonitoredList, _ step: inout MonitoringStep) {
    for case .deliver(let fix, _) in actions {
      add(
        MonitoringEvent(id: 0, .significantChanges, .moved, time: fix.time, fix: fix), of: list, isWanted: true, &step)
      step.progress.append((list.id, ProgressKey.moved, fix.keptBytes))
    }
  }
}

extension MonitoringLaunch {
  /// The command to run for an event; `nil` for none.
  func command(for event: MonitoringEvent) -> CommandToken? {
    switch event.kind {
    case .crossed(.inside), .arrived, .moved: onEntry
    case .crossed(.outside), .departed: onExit
    case .determined(.unknown): onUnknown
    case .crossed(.unknown), .determined: nil
    }
  }
}
