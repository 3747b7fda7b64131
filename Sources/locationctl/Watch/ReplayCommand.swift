import ArgumentParser
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// `locationctl replay`: plays a recording through the whole service, as fast as possible or in real time.
struct ReplayCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play a capture, an NMEA log or a UBX log, and print one line per fix.")

  @Argument(help: ArgumentHelp("The recording to play.", valueName: "file"))
  var file: String

  @Flag(help: "Play at the speed of the recording instead of as fast as possible.")
  var realtime = false

  @Flag(help: "Print the receiver's own positions, without the filter of the service.")
  var raw = false

  @OptionGroup var style: StyleOptions
  @OptionGroup var plain: PlainOption

  func execute() -> CommandStatus {
    let plan = FixStream.Plan(
      options: UpdateOptions(isRaw: raw), style: style.style(forPeople: Results.areForPeople),
      notations: style.notations.styles, isRecorded: true,
      isBuffered: !realtime)
    return CommandSession.withHostedService(.replay(path: file), realtime: realtime) { session, _ in
      FixStream(session, plan).run()
    }
  }
}
