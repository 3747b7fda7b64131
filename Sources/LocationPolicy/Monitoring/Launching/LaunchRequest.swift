package import Geodesy

/// A request from the service to a user's agent.
package struct LaunchRequest: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case command(LaunchCommand)
    case notification(DesktopNotification)
  }

  /// Unique among the requests of this service and user; the answers carry it.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}

/// A command stored by its user, and the event data passed to it: in its environment and on its input, never in its command line.
package struct LaunchCommand: Hashable, Sendable {
  package let token: CommandToken
  /// Each name occurs once.
  package private(set) var variables: [LaunchVariable]
  /// The complete standard input.
  package let input: [UInt8]

  package static let mostVariables = 32
  /// Bytes.
  package static let longestInput = 16 * 1024

  /// `nil`: too much data, or a duplicate name.
  package init?(_ token: CommandToken, _ variables: [LaunchVariable], input: [UInt8]) {
    guard variables.count <= Self.mostVariables, input.count <= Self.longestInput,
      Set(variables.map(\.name)).count == variables.count
    else { return nil }
    (self.token, self.variables, self.input) = (token, variables, input)
  }

  /// A copy with the number of deliveries of the event, this one included, in `LOCATION_ATTEMPT`. If it is more than 1, the command
  /// may have been run for the event before.
  package func marked(attempt: Int) -> LaunchCommand {
    guard let mark = LaunchVariable("LOCATION_ATTEMPT", "\(attempt)") else { return self }
    var command = self
    command.variables.removeAll { $0.name == mark.name }
    command.variables = Array(command.variables.prefix(Self.mostVariables - 1)) + [mark]
    return command
  }
}

/// A variable of a command's environment, with a name that does not configure any other program.
///
/// The agent accepts no other names: otherwise, an attacker who controls the service could run code with `LD_PRELOAD`.
package struct LaunchVariable: Hashable, Sendable {
  package let name: String
  package let value: String

  /// The prefix of all names.
  package static let prefix = "LOCATION_"
  /// Bytes.
  package static let (longestName, longestValue) = (64, 1024)

  /// `nil`: the name is not `LOCATION_` followed by A–Z, 0–9, `_`; the value contains a NUL; or one of them is too long.
  package init?(_ name: String, _ value: String) {
    let rest = name.utf8.dropFirst(Self.prefix.utf8.count)
    guard name.utf8.starts(with: Self.prefix.utf8), !rest.isEmpty, name.utf8.count <= Self.longestName,
      rest.allSatisfy({ ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }),
      value.utf8.count <= Self.longestValue, !value.utf8.contains(0)
    else { return nil }
    (self.name, self.value) = (name, value)
  }
}

/// An agent's answer to a request.
package struct LaunchResponse: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The command runs; its result follows.
    case started
    case ended(LaunchEnding)
    /// This user has stored no such command.
    case unknownCommand
    /// The kernel's error number.
    case cannotStart(errno: Int32)
    case shown
    case cannotShow(NotificationProblem)
  }

  /// The number of the request.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}

/// Why a person's desktop did not show a notification.
package enum NotificationProblem: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The user has no session with a bus.
  case noDesktop = 0
  /// notify-send(1) is not installed.
  case noProgram = 1
  /// There is no notification service, or it did not answer in time.
  case failed = 2
}

/// The final result of an event.
package enum LaunchOutcome: Hashable, Sendable {
  case ended(LaunchEnding)
  /// The user has stored no such command, or has removed it since.
  case unknownCommand
  /// The kernel's error number of the last attempt.
  case cannotStart(errno: Int32)
  case shown
  case cannotShow(NotificationProblem)
  /// No request can express it: nothing was sent.
  case noOrder
}

/// How a command ended.
package enum LaunchEnding: Hashable, Sendable {
  /// With an exit status of 0 to 255.
  case exited(Int32)
  case killed(signal: Int32)
  /// It exceeded its time limit, and was stopped.
  case outOfTime

  /// The exit status by which a command requests a later retry (sysexits.h, `EX_TEMPFAIL`).
  package static let tryAgain: Int32 = 75
}

/// Rate limit for the commands of one user: a burst, then one each interval.
package struct LaunchRateLimit: Hashable, Sendable {
  private let burst: Int
  private let interval: Duration
  private var left: Int
  /// When the next permit is added; `nil`: all are available.
  private var refillAt: Instant?

  /// A burst of 10, then one every 2 s: crossing a border at walking pace stays far below it, and a thousand regions of one file,
  /// whose monitoring starts at once, do not start a thousand programs at once.
  package init(burst: Int = 10, interval: Duration = .seconds(2)) {
    (self.burst, self.interval, left) = (burst, interval, burst)
  }

  /// The time until which no command may start; `nil`, or in the past: one may.
  package var heldUntil: Instant? { left == 0 ? refillAt : nil }

  /// Takes a permit if one is available; returns whether the command may start.
  package mutating func tryAcquire(at now: Instant) -> Bool {
    while let due = refillAt, due <= now {
      left += 1
      refillAt = left < burst ? due + interval : nil
    }
    guard left > 0 else { return false }
    left -= 1
    if refillAt == nil { refillAt = now + interval }
    return true
  }
}
