import LinuxIO
package import LocationPolicy
package import LocationStore

/// The events of a user's agent that are reported to the administrator. Commands are identified by their tokens, never
/// by their texts, which are private to the user.
package enum AgentEvent: Sendable {
  /// That user has no permission to send requests.
  case refused(userID: UInt32?)
  /// The received bytes are not a valid request.
  case foreign
  case started(CommandToken, processID: Int32)
  case ended(CommandToken, LaunchEnding)
  case noCommand(CommandToken, CommandStoreError)
  /// The home folder is not available, or the system failed to start the command.
  case cannotStart(CommandToken, errno: Int32)

  package var sentence: String {
    switch self {
    case .refused(let userID): "User \(userID.map(String.init) ?? "?") may not run commands here."
    case .foreign: "Ignored an invalid request: its sender has another version, or is not locationd."
    case .started(let token, let processID): "Command \(Self.name(token)) has started (process \(processID))."
    case .ended(let token, .exited(let status)): "Command \(Self.name(token)) has ended with status \(status)."
    case .ended(let token, .killed(let signal)): "Command \(Self.name(token)) was ended by signal \(signal)."
    case .ended(let token, .outOfTime):
      "Command \(Self.name(token)) was stopped at its time limit: add the region again with a longer --budget."
    case .noCommand(let token, .unknown): "Command \(Self.name(token)) does not exist any more."
    case .noCommand(let token, .damaged(let size)):
      "Command \(Self.name(token)) is damaged (\(size) bytes): add it again."
    case .noCommand(let token, .notOwn(let error)): "Command \(Self.name(token)) is not run: \(Self.words(error))."
    case .cannotStart(let token, let errno):
      "Command \(Self.name(token)) cannot be started (\(ErrorDescription.of(errno))): trying again."
    }
  }

  /// Whether this event is a problem.
  package var isProblem: Bool {
    switch self {
    case .started, .ended(_, .exited), .ended(_, .killed): false
    case .refused, .foreign, .ended(_, .outOfTime), .noCommand, .cannotStart: true
    }
  }

  /// The first 8 characters, enough to identify the command.
  private static func name(_ token: CommandToken) -> Substring { token.text.prefix(8) }

  private static func words(_ error: OwnFileError) -> String {
    switch error {
    case .doesNotExist: "it does not exist any more"
    case .notAFile: "it is not a regular file"
    case .foreign(let owner): "its file belongs to user \(owner)"
    case .shared(let mode): "other users have access to its file (mode \(String(mode, radix: 8)) instead of 600)"
    case .system(let error): "its file cannot be read (\(ErrorDescription.of(error.errno)))"
    }
  }
}
