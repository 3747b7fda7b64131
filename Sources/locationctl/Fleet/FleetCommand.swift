import ArgumentParser
import FleetDestinations
import Geodesy
import LocationIPC
import TrackFormats

/// `locationctl fleet`: sends positions to other programs and machines.
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Send positions to Home Assistant, OwnTracks, Traccar, Dawarich, an MQTT broker or a URL.",
    discussion: """
      Each destination has a name, and an outbox on the disk: positions wait there until the server has confirmed them. Root and \
      members of the group 'location' may use these commands. 'man locationctl-fleet' has examples.
      """,
    subcommands: [
      List.self, FleetAddCommand.self, Test.self, Send.self, Pause.self, Resume.self, Remove.self, Keygen.self,
    ], defaultSubcommand: List.self)

  /// `fleet list`, and `fleet` alone.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the destinations: address, state, and what waits to be sent.")
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      CommandSession.withDaemon { session in
        session.request(.fleet) { reports in
          if reports.isEmpty {
            Diagnostics.print("There are no destinations yet: add one with 'locationctl fleet add NAME URL'.")
          }
          return Results.write(report.isJSON ? FleetTable.jsonLines(reports) : FleetTable.table(reports)) ?? .done
        }
      }
    }
  }

  /// `fleet test NAME`.
  struct Test: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "test", abstract: "Connect to a destination, and try whether positions may be sent to it.",
      discussion: """
        Checks the name, the certificate, the account and the right to publish; over HTTP, only whether the server answers. No \
        position is sent.
        """)
    @OptionGroup var destination: FleetName
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      CommandSession.withDaemon { session in
        session.request(.fleetTest(of: destination.name), .server) { result in
          let outcome = FleetOutcomeText(result)
          if report.isJSON {
            return Results.write(outcome.object(destination.name).line) ?? outcome.status
          }
          guard outcome.status == .done else {
            return Diagnostics.report(FailureMessage("\(destination.shown): \(outcome.sentence)", outcome.status))
          }
          return Results.write(TextTable.sentences("\(destination.shown): \(outcome.sentence)")) ?? .done
        }
      }
    }
  }

  /// `fleet send NAME`.
  struct Send: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "send", abstract: "Send the present position now, and wait until it is confirmed.")
    @OptionGroup var destination: FleetName
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      CommandSession.withDaemon { $0.request(.fleet(.send(name: destination.name)), .server) }
        .confirmed("The position was sent to '\(destination.shown)' and confirmed.")
    }
  }

  /// `fleet pause NAME`.
  struct Pause: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause", abstract: "Send nothing to a destination for a time, or until 'resume'.",
      discussion: """
        Positions of the pause are never sent. What was recorded before the pause stays in the outbox and is sent afterwards.
        """)
    @OptionGroup var destination: FleetName
    @Option(
      name: .customLong("for"), help: ArgumentHelp("How long, such as 8h. Default: until 'resume'.", valueName: "time"),
      transform: { try Bounds.time($0, from: 1, upTo: Bounds.watch) })
    var duration: Double?
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      let request = FleetRequest.pause(name: destination.name, duration.map { .seconds($0) })
      let end = duration == nil ? "until 'locationctl fleet resume \(destination.shown)'" : "for that time"
      return FleetCommand.send(request).confirmed("Nothing is sent to '\(destination.shown)' \(end).")
    }
  }

  /// `fleet resume NAME`.
  struct Resume: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "End a pause, and try a destination again that has refused.")
    @OptionGroup var destination: FleetName
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      FleetCommand.send(.resume(name: destination.name))
        .confirmed("Positions are sent to '\(destination.shown)' again.")
    }
  }

  /// `fleet remove NAME`.
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Send nothing more to a destination, once its outbox is empty.")
    @OptionGroup var destination: FleetName
    @Flag(help: "Remove it at once, and delete what waits to be sent.")
    var discard = false
    @OptionGroup var force: ForceOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      if discard {
        do throws(CommandStatus) {
          try force.permits("what waits to be sent to '\(destination.shown)'")
        } catch {
          return error
        }
      }
      return FleetCommand.send(.remove(name: destination.name, discards: discard)).confirmed(
        discard
          ? "Removed '\(destination.shown)' and what waited to be sent to it."
          : "'\(destination.shown)' is removed as soon as its outbox is empty; nothing more is added to it.")
    }
  }

  /// `fleet keygen`.
  struct Keygen: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "keygen", abstract: "Print a new secret for OwnTracks' end-to-end encryption.",
      discussion: """
        Write it to a file with mode 0600 that belongs to the user locationd, name the file with 'fleet add --encrypt', and enter the \
        same secret in the OwnTracks Recorder, in Home Assistant or in the app. Brokers on the way cannot read the positions then.
        """)
    func execute() -> CommandStatus { Results.write(Array("\(FleetSecret.make())\n".utf8)) ?? .done }
  }

  /// Sends a request that the service answers after it has stored data on disk.
  static func send(_ request: FleetRequest) -> CommandStatus {
    CommandSession.withDaemon { $0.request(.fleet(request), .storage) }
  }
}

/// The argument that selects a destination.
struct FleetName: ParsableArguments {
  @Argument(help: ArgumentHelp("The name of the destination.", valueName: "name"), completion: ServiceNames.fleets)
  var name: String

  /// The name, sanitized for output.
  var shown: String { TerminalText.sanitized(name) }
}

extension SingleRequestLimits {
  /// For requests that the service answers after a server on the network has answered.
  static let server = SingleRequestLimits(timeout: .seconds(120), remedy: "see 'locationctl fleet list'")
}

/// A secret of 32 printable characters, which are 24 random bytes in base64: OwnTracks uses at most 32 bytes of a secret.
enum FleetSecret {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] })
  }
}
