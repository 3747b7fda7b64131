import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdService

/// `locationctl nmea`: the sentences that the receivers send, for programs that read NMEA 0183.
struct NMEACommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "nmea", abstract: "Print the NMEA sentences that the receiver sends, or offer them as a serial port.",
    discussion: """
      The sentences of the receiver are not altered. With several receivers, the command prints the sentences of all of them; name \
      one with --source. A receiver that is set to UBX only sends no sentences. --fused makes sentences from the position of the \
      service, for every receiver and also for Wi-Fi.

      'locationctl nmea --pty /tmp/gps' runs until Ctrl-C. Until then, other programs can open /tmp/gps like the port of a receiver. \
      What they write to it has no effect.
      """)

  @Argument(
    help: ArgumentHelp("With --pty: a symbolic link to create, which points to the serial port.", valueName: "link"))
  var link: String?

  @Flag(help: "Offer the sentences as a serial port, and print its path.")
  var pty = false

  @Flag(help: "Make the sentences from the position of the service: GGA, RMC, VTG, GST, GSA and GSV.")
  var fused = false

  @Flag(name: .shortAndLong, help: "Print the local time before each sentence.")
  var timestamps = false

  @OptionGroup var limits: StreamLimits<SentenceItem>

  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption

  func validate() throws {
    guard link != "" else { throw ValidationError("The path of the link is empty: leave it out, or specify a path.") }
    guard !(pty && timestamps) else {
      throw ValidationError("--timestamps does not work with --pty: leave one of them out.")
    }
  }

  func execute() throws -> CommandStatus {
    // Not in `validate`, which runs before the error about an option that does not exist: the value of such an option
    // would be taken for the link.
    guard pty || link == nil else { throw ValidationError("A link requires --pty.") }
    let source = try origin.resolved()
    let isRecorded = if case .replay = source { true } else { false }
    let output: SentenceOutput
    do throws(FailureMessage) {
      output = try SentenceOutput(
        terminal: pty ? SentenceTerminal(link: link) : nil, timestamps: timestamps, count: limits.count)
    } catch {
      return Diagnostics.report(error)
    }
    let plan = SentencePlan(duration: limits.time, isRecorded: isRecorded)
    if fused {
      return CommandSession.withService(source, purpose: purpose.text) { FusedSentences($0, plan, output).run() }
    }
    return CommandSession.withReceivers(source) { session, receivers in
      ReceiverSentences(session, of: receivers, plan, output).run()
    }
  }
}

/// The conditions under which a stream of sentences ends.
struct SentencePlan {
  var duration: Duration?
  /// Whether the source is a recording, whose end is not a failure.
  var isRecorded: Bool
}
