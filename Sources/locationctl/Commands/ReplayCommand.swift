import ArgumentParser
import LocationIPC
import LocationdHost

/// `locationctl replay`: plays a recording through the whole service, as fast as it goes or at its own pace.
struct ReplayCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play a capture, an NMEA or a UBX log, and give a line for every fix.")

  @Argument(help: ArgumentHelp("The recording.", valueName: "file"))
  var file: String

  @Flag(help: "Play it at its own pace, not as fast as it goes.")
  var realtime = false

  @Flag(help: "Tell what the receiver said, and not what the service makes of it.")
  var raw = false

  @OptionGroup var style: StyleOptions

  func execute() -> CommandStatus {
    let plan = StreamRun.Plan(
      options: UpdateOptions(isRaw: raw), style: style.style(forPeople: Results.areForPeople), isRecorded: true,
      isBuffered: !realtime)
    return Self.withHost(.replay(path: file), realtime: realtime) { StreamRun(host: $0, plan: plan).execute() }
  }
}
