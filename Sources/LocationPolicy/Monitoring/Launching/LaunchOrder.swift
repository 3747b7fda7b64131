package import Geodesy

/// What the service has a user's agent do.
package struct LaunchOrder: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case command(LaunchCommand)
    case notice(LaunchNotice)
  }

  /// Of no other order of this service and user; the answers bear it.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}

/// A command that its user has noted, and what it is told of the event: in its environment and on its input, never in its text.
package struct LaunchCommand: Hashable, Sendable {
  package let token: CommandToken
  /// Each name once.
  package private(set) var variables: [LaunchVariable]
  /// All that it can read.
  package let input: [UInt8]

  package static let mostVariables = 32
  /// Bytes.
  package static let longestInput = 16 * 1024

  /// `nil`: more than there may be, or a name twice.
  package init?(_ token: CommandToken, _ variables: [LaunchVariable], input: [UInt8]) {
    guard variables.count <= Self.mostVariables, input.count <= Self.longestInput,
      Set(variables.map(\.name)).count == variables.count
    else { return nil }
    (self.token, self.variables, self.input) = (token, variables, input)
  }

  /// The same, which says how often the event has been told, this time included: `LOCATION_ATTEMPT`. With more than 1 the command may
  /// have run for it before.
  package func marked(attempt: Int) -> LaunchCommand {
    guard let mark = LaunchVariable("LOCATION_ATTEMPT", "\(attempt)") else { return self }
    var command = self
    command.variables.removeAll { $0.name == mark.name }
    command.variables = Array(command.variables.prefix(Self.mostVariables - 1)) + [mark]
    return command
  }
}

/// A variable of a command's environment, of a name that no other program takes an order from.
///
/// The one that runs the command takes no others: `LD_PRELOAD` of whoever has taken over the service would be code.
package struct LaunchVariable: Hashable, Sendable {
  package let name: String
  package let value: String

  /// What all names begin with.
  package static let prefix = "LOCATION_"
  /// Bytes.
  package static let (longestName, longestValue) = (64, 1024)

  /// `nil`: not `LOCATION_` and A–Z, 0–9, `_` behind it, a value with a NUL in it, or one of both is too long.
  package init?(_ name: String, _ value: String) {
    let rest = name.utf8.dropFirst(Self.prefix.utf8.count)
    guard name.utf8.starts(with: Self.prefix.utf8), !rest.isEmpty, name.utf8.count <= Self.longestName,
      rest.allSatisfy({ ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }),
      value.utf8.count <= Self.longestValue, !value.utf8.contains(0)
    else { return nil }
    (self.name, self.value) = (name, value)
  }
}

/// What a user's agent says of an order.
package struct LaunchAnswer: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The command runs; how it ends follows.
    case started
    case ended(LaunchEnding)
    /// This user has noted no such command.
    case unknownCommand
    /// The kernel's error number.
    case cannotStart(errno: Int32)
    case shown
    case cannotShow(NoticeProblem)
  }

  /// The order's.
  package let run: UInt64
  package let content: Content

  package init(run: UInt64, _ content: Content) { (self.run, self.content) = (run, content) }
}

/// Why a person's desktop did not show something.
package enum NoticeProblem: Error, Hashable, Sendable, CaseIterable {
  /// The user has no session with a bus.
  case noDesktop
  /// notify-send(1) is not installed.
  case noProgram
  /// Nobody shows notifications there, or not in time.
  case failed
}

/// What became of an event in the end.
package enum LaunchOutcome: Hashable, Sendable {
  case ended(LaunchEnding)
  /// The user has noted no such command, or has removed it since.
  case unknownCommand
  /// The kernel's error number, the last time.
  case cannotStart(errno: Int32)
  case shown
  case cannotShow(NoticeProblem)
  /// There is no order that says it: nothing was sent.
  case noOrder
}

/// How a command ended.
package enum LaunchEnding: Hashable, Sendable {
  /// By itself, with a status of 0 to 255.
  case exited(Int32)
  case killed(signal: Int32)
  /// It had used up its time, and was stopped.
  case outOfTime

  /// The status by which a command asks to be run again later (sysexits.h, `EX_TEMPFAIL`).
  package static let tryAgain: Int32 = 75
}

/// How many commands of one user are started in a while: some at once, then one each interval.
package struct LaunchPace: Hashable, Sendable {
  private let burst: Int
  private let interval: Duration
  private var left: Int
  /// When the next one is there again; `nil`: none is missing.
  private var refillAt: Instant?

  /// A burst of 10, then one every 2 s: a border that is crossed at walking pace is far from it, and a file of a thousand regions
  /// that begin at once does not start a thousand programs.
  package init(burst: Int = 10, interval: Duration = .seconds(2)) {
    (self.burst, self.interval, left) = (burst, interval, burst)
  }

  /// Until when none may start; `nil`, or over: one may.
  package var heldUntil: Instant? { left == 0 ? refillAt : nil }

  /// Whether one more may start now, which it does then.
  package mutating func take(at now: Instant) -> Bool {
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
