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
