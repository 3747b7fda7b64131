import ArgumentParser

/// A command that ends with an exit status of the command line contract.
protocol ServiceCommand: ParsableCommand {
  /// Runs the command; throws a usage error that is only detected at this point.
  func execute() throws -> CommandStatus
}
