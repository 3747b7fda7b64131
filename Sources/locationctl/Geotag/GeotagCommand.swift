import ArgumentParser
import Geodesy
import LinuxIO
import LocationStore
import LocationdHost
import LocationdService
import TrackFormats

/// `locationctl geotag`: writes positions into photographs, according to the times of the photographs.
struct GeotagCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "geotag",
    abstract: "Write positions from a track into photographs, by the time when each photograph was taken.",
    discussion: """
      Each JPEG photograph gets the position that the track has at its DateTimeOriginal. A photograph that was taken between \
      two fixes gets a point on the shortest line between them. In a gap of the track, it gets the position of the nearest fix \
      within --max-gap, or none. The time zone of the camera comes from the photograph, else from --timezone. A photograph is \
      replaced in one step; its file mode and file times do not change. A photograph is not changed if it already has a position, \
      has no time, or does not match the track.

      Exit status: 0 all photographs have a position, 65 some files are not photographs or contain no time, 73 or 77 some cannot \
      be written, 75 the track has no fix for some of them.
      """)

  @Argument(help: ArgumentHelp("The photographs.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("A recorded track in a GPX file; can be repeated.", valueName: "file"))
  var track: [String] = []

  @Option(
    help: ArgumentHelp("The name of a log of locationd; can be repeated.", valueName: "name"),
    completion: ServiceNames.logs)
  var log: [String] = []

  @OptionGroup var owner: KeyOption
  @OptionGroup var plain: PlainOption

  @Option(
    help: ArgumentHelp(
      "The time zone of the camera, if the photograph does not contain it: +02:00 or Europe/Zurich.",
      discussion: "The default is the time zone of this machine.", valueName: "zone"))
  var timezone: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Add this to the camera's time. Use a number above 0 if the camera's clock was slow.", valueName: "time"),
    transform: { try GeotagCommand.shift($0) })
  var shift: Double = 0

  @Option(
    help: ArgumentHelp(
      "The longest time between a photograph and its nearest fix (default: 60s).",
      discussion: "If more time than this passes between two fixes, the track has a gap there.", valueName: "time"),
    transform: { try Bounds.timeOrZero($0, upTo: Bounds.wait) })
  var maxGap: Double = 60

  @Flag(help: "Replace a position that a photograph already has.")
  var overwrite = false

  @Flag(help: "Print what would be written, and write nothing.")
  var dryRun = false

  func validate() throws {
    guard !track.isEmpty || !log.isEmpty else {
      throw ValidationError("The track is missing: specify it with --track FILE or --log NAME.")
    }
  }

  static func shift(_ text: String) throws -> Double {
    guard let value = Double(text), value.isFinite, value.magnitude <= Bounds.watch * 100 else {
      throw ValidationError("Use seconds, such as -3600 or 12.5.")
    }
    return value
  }

  func execute() throws -> CommandStatus {
    let clock = CameraClock(zone: try zone(), shift: .seconds(shift))
    var timeline = TrackTimeline()
    for path in track {
      if let status = GPXFileSource(path: path).load(into: &timeline) { return status }
      timeline.interrupt()
    }
    let key: OwnerKey?
    do throws(FailureMessage) {
      key = try owner.read()
    } catch {
      return Diagnostics.report(error)
    }
    for name in log {
      var status: CommandStatus?
      // A session runs only once.
      let ended = CommandSession.withService(.automatic) { session in
        status = LogSource(log: name, key: key, session: session).load(into: &timeline)
        return status ?? .done
      }
      if ended != .done { return ended }
      timeline.interrupt()
    }
    let tagger = PhotographTagger(
      timeline: timeline, clock: clock, limit: .seconds(maxGap), overwrites: overwrite, isTrial: dryRun)
    let progress = CountedProgress("photographs", of: files.count)
    let isForPeople = Results.areForPeople
    var worst = CommandStatus.done
    for (index, file) in files.enumerated() {
      progress.show(index)
      let outcome = tagger.tag(file)
      progress.clear()
      if case .skipped(_, let sentence) = outcome { Diagnostics.print(sentence.text) }
      if Self.severity(outcome.status) > Self.severity(worst) { worst = outcome.status }
      // If the outcome cannot be reported, stop: the remaining photographs stay as they are.
      let line = isForPeople ? outcome.textLine(file: file) : outcome.jsonLine(file: file)
      if let status = Results.write(line) { return status }
    }
    return worst
  }

  private func zone() throws -> CameraClock.Zone {
    guard let timezone else { return .local }
    if let offset = PhotographTime.offset(timezone) { return .fixed(offset) }
    guard LocalTime.select(zone: timezone) else {
      throw ValidationError(
        "There is no time zone '\(TerminalText.sanitized(timezone))': use an offset such as +02:00, or a name such as Europe/Zurich."
      )
    }
    return .local
  }

  private static func severity(_ status: CommandStatus) -> Int {
    let order: [CommandStatus] = [.done, .locationUnknown, .badInput, .denied, .cannotWrite]
    return order.firstIndex(of: status) ?? order.count
  }
}
