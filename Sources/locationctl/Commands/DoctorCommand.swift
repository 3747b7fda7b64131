import ArgumentParser
import LocationDaemon
import LocationIPC
import LocationPolicy

/// `locationctl doctor`: what keeps a receiver from giving positions, and what mends it.
struct DoctorCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say why there is no position, or no good one, and what mends it.",
    discussion: """
      Looks at the machine, then listens to its receivers; writes nothing to them and opens what 'fix' would. Where locationd \
      answers, it keeps them and tells what it hears. What to mend first stands first: a sentence and a command on a terminal, \
      in a pipe one JSON object a line. Nothing in a pipe is good news. The exit status is 0 where nothing is wrong, else that \
      of the first finding. Hardware/doctor.md lists them.
      """)

  @Option(
    help: ArgumentHelp("Listen at most this long; less where all is well.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.wait, unit: "seconds") })
  var duration: Double = 12

  @OptionGroup var origin: SourceOptions

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    let status = source == .automatic ? ServiceStatus.ofDaemon : nil
    return Self.withReceivers(source, realtime: !source.isRecording) { host in
      DoctorRun(
        host: host, source: source, duration: .seconds(duration), clients: status?.clients ?? [],
        bounds: status?.bounds ?? []
      ).execute()
    }
  }
}

extension SourceSelection {
  /// A recording is heard as fast as it can be read.
  fileprivate var isRecording: Bool { if case .replay = self { true } else { false } }
}
