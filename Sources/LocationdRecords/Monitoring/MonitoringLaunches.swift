import Geodesy
package import LinuxIO
package import LocationPolicy
package import LocationStore
import TrackFormats

/// The daemon around the launches.
package protocol MonitoringLaunchesHost: AnyObject {
  /// The event, reduced to what the list's user may receive; `nil` if the user has no authorization for the event any
  /// more.
  func visible(_ event: MonitoringEvent, of list: MonitoringList, isShown: Bool) -> MonitoringEvent?
  func receive(_ event: LaunchEvent)
}

/// Starts the commands and notifications of events, as the users that requested them: connects the monitoring service,
/// which stores the events, to the launcher.
package final class MonitoringLaunches {
  /// Distinguishes the notification of an event from its command, because one event can have both.
  private static let notificationBit: UInt64 = 1 << 63

  private let loop: EventLoop
  private lazy var launcher = Launcher(loop: loop, at: agents, observer: self)
  private let agents: AgentEndpoint
  private let registry: AgentRegistry
  private let monitoring: RecordsThread<MonitoringService>
  private unowned let host: any MonitoringLaunchesHost
  private var users: [UInt64: UInt32] = [:]

  package init(
    loop: EventLoop, stateFolder: String, monitoring: RecordsThread<MonitoringService>,
    agents: AgentEndpoint = AgentEndpoint(), host: any MonitoringLaunchesHost
  ) {
    self.agents = agents
    registry = AgentRegistry(stateFolder: stateFolder)
    (self.loop, self.monitoring, self.host) = (loop, monitoring, host)
  }

  package func launch(_ launching: MonitoringLaunching) {
    let delivery: MonitoringDelivery = launching.command == nil ? .notification : .command
    let key = Self.key(launching.event.id, delivery)
    let userID = launching.list.identity.userID
    guard
      let event = host.visible(launching.event, of: launching.list, isShown: delivery == .notification)
    else {
      return monitoring.send(.delivered(event: launching.event.id, delivery))
    }
    users[key] = userID
    let (command, list) = (launching.command, launching.list.name)
    _ = launcher.launch(event: key, userID: userID) { attempt in
      var event = event
      event.attempt = attempt
      return command.map { Self.order($0, event, list) } ?? Self.notification(event)
    }
  }

  /// Called with the monitoring service's result for an attempt: `nil` if the attempt could not be counted;
  /// `.some(nil)` if the event needs no further delivery and is to be dropped.
  package func counted(_ event: UInt64, _ delivery: MonitoringDelivery, attempt: Int??) {
    let key = Self.key(event, delivery)
    guard let userID = users[key] else { return }
    switch attempt {
    case .some(nil):
      users[key] = nil
      launcher.forget(event: key, userID: userID)
    case .some(let attempt?): launcher.attemptKept(event: key, userID: userID, attempt: attempt)
    case nil: launcher.attemptKept(event: key, userID: userID, attempt: nil)
    }
  }

  /// Called when a user has saved a command: registers the user, so that the socket of the user's agent is created.
  package func noted(_ userID: UInt32) { try? registry.note(userID) }

  package func close() { launcher.close() }

  // MARK: -

  private static func order(_ token: CommandToken, _ event: MonitoringEvent, _ list: String) -> LaunchRequest.Content? {
    let variables = EventVariables.of(event, list: list).compactMap { LaunchVariable($0.name, $0.value) }
    return LaunchCommand(token, variables, input: EventJSON.object(event, list: list).line).map { .command($0) }
  }

  private static func notification(_ event: MonitoringEvent) -> LaunchRequest.Content? {
    let (title, body) = EventNotification.texts(event)
    return DesktopNotification(title: title, body: body).map { .notification($0) }
  }

  private static func key(_ event: UInt64, _ delivery: MonitoringDelivery) -> UInt64 {
    delivery == .notification ? event | notificationBit : event
  }

  private static func event(_ key: UInt64) -> UInt64 { key & ~notificationBit }
  private static func delivery(_ key: UInt64) -> MonitoringDelivery {
    key & notificationBit == 0 ? .command : .notification
  }
}

extension MonitoringLaunches: LauncherObserver {
  package func keepAttempt(of key: UInt64, userID: UInt32) {
    monitoring.send(.delivering(event: Self.event(key), Self.delivery(key)))
  }

  package func ended(_ key: UInt64, _ outcome: LaunchOutcome) {
    users[key] = nil
    monitoring.send(.delivered(event: Self.event(key), Self.delivery(key)))
  }

  package func hasRoom(forUser userID: UInt32) { monitoring.send(.room(userID: userID)) }

  package func receive(_ event: LaunchEvent) { host.receive(event) }
}
