import ArgumentParser
import Geodesy
import LinuxIO
import LocationStore
import LocationdHost
import Photographs
import TrackFormats

/// `locationctl geotag`: writes positions into photographs by their time.
struct GeotagCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "geotag", abstract: "Write positions of a track into photographs, by the time they were taken.",
    discussion: """
      Each JPEG photograph gets the place where the track was at its DateTimeOriginal: between two fixes of the track on \
      the shortest line from one to the other, never across an interruption of the track. The camera's time is taken in \
      the zone that the photograph tells, else in --timezone. A photograph is replaced at once and keeps its mode and \
      times; one that cannot be placed, is not understood, or has a position already, is left as it is.

      Exit status: 0 all have a position, 65 some are no photograph with a time, 73 or 77 some cannot be written, 75 some \
      are not in the track.
      """)

  @Argument(help: ArgumentHelp("The photographs.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("A recorded track, GPX of any make; several are taken together.", valueName: "file"))
  var track: [String] = []

  @Option(
    help: ArgumentHelp("A log of the service, by its name; several are taken together.", valueName: "name"))
  var log: [String] = []

  @OptionGroup var owner: KeyOption

  @Option(
    help: ArgumentHelp(
      "The camera's zone where a photograph does not tell it: +02:00 or Europe/Zurich.",
      discussion: "The default is this machine's.", valueName: "zone"))
  var timezone: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds to add to the camera's time: above 0 where its clock was slow.", valueName: "seconds"),
    transform: { try GeotagCommand.shift($0) })
  var shift: Double = 0

  @Option(
    help: ArgumentHelp(
      "How far a fix may be from the photograph, and from the next one, in seconds.", valueName: "seconds"),
    transform: { try Bounds.notNegative($0, upTo: Bounds.wait, unit: "seconds") })
  var maxGap: Double = 60

  @Flag(help: "Replace a position that a photograph has.")
  var overwrite = false

  @Flag(help: "Say what would be written, and write nothing.")
  var dryRun = false

  func validate() throws {
    guard !track.isEmpty || !log.isEmpty else {
      throw ValidationError("Name the track with --track FILE or --log NAME.")
    }
  }

  static func shift(_ text: String) throws -> Double {
    guard let value = Double(text), value.isFinite, value.magnitude <= Bounds.watch * 100 else {
      throw ValidationError("Give seconds, such as -3600 or 12.5.")
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
    do throws(FailureSentence) {
      key = try owner.read()
    } catch {
      return Diagnostics.end(error)
    }
    for name in log {
      var status: CommandStatus?
      // A host serves once.
      let ended = Self.withService(.automatic) { host in
        status = LogSource(log: name, key: key, host: host).load(into: &timeline)
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
      if case .skipped(_, let sentence) = outcome { Diagnostics.say(sentence.text) }
      if Self.severity(outcome.status) > Self.severity(worst) { worst = outcome.status }
      // What cannot be told any more is not done either: the rest stays as it is.
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
        "There is no zone '\(TerminalText.sanitized(timezone))': give +02:00, or a name such as Europe/Zurich.")
    }
    return .local
  }

  private static func severity(_ status: CommandStatus) -> Int {
    let order: [CommandStatus] = [.done, .locationUnknown, .badInput, .denied, .cannotWrite]
    return order.firstIndex(of: status) ?? order.count
  }
}
