/// A way to tell of an event.
package enum MonitoringDelivery: Int64, Hashable, Sendable, CaseIterable {
  // As they stand on disks, for ever: bits.
  /// To the programs that listen.
  case programs = 1
  /// By a command that is run.
  case command = 2
  /// By the user's desktop.
  case notification = 4

  /// Where it is counted.
  var column: String {
    switch self {
    case .programs: "attempts_programs"
    case .command: "attempts_command"
    case .notification: "attempts_notification"
    }
  }
}

extension Set<MonitoringDelivery> {
  var bits: Int64 { reduce(0) { $0 | $1.rawValue } }

  init(bits: Int64) { self.init(MonitoringDelivery.allCases.filter { bits & $0.rawValue != 0 }) }
}
