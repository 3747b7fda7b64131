import ArgumentParser
import LocationDaemon

/// A command that hosts the service in this process and ends with a status of the contract.
protocol ServiceCommand: ParsableCommand {
  /// Carries it out; what it throws is bad usage that only shows now.
  func execute() throws -> CommandStatus
}

extension ServiceCommand {
  /// Opens the service and runs `body` with it; says why where it cannot be opened.
  func withHost(
    _ source: SourceSelection, realtime: Bool = true, _ body: (EmbeddedHost) -> CommandStatus
  ) -> CommandStatus {
    do throws(HostError) {
      return body(try EmbeddedHost(source: source, realtime: realtime))
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }
}

extension EmbeddedHost {
  /// Serves until it is stopped; where it could not go on, says why and answers with what the command ends with.
  func serve() -> CommandStatus? {
    do throws(HostError) {
      try run()
      return nil
    } catch {
      return Diagnostics.end(FailureSentence(error))
    }
  }
}

extension FailureSentence {
  /// Why the service could not be hosted. A system that is out of something may have it again: 75.
  init(_ error: HostError) {
    switch error {
    case .noSuchFile(let path):
      self.init("There is no file \(TerminalText.sanitized(path)): name a capture, an NMEA or a UBX log.", .badInput)
    case .badFile(let path, let reason):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be played (\(TerminalText.sanitized(reason))): "
          + "name a capture, an NMEA or a UBX log.", .badInput)
    case .system(let operation, let errno):
      self.init(
        "The system refused \(TerminalText.sanitized(operation)) (\(ErrorWords.of(errno))): try again later.",
        .locationUnknown)
    }
  }
}
