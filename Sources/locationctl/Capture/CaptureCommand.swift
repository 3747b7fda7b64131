import ArgumentParser
import LinuxIO
import LocationdHost
import LocationdService

/// `locationctl capture`: records the output of the sources, or scrubs a recording.
struct CaptureCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Record what the receivers send, and when.",
    discussion: """
      Play the file with 'locationctl replay'. Recording ends with Ctrl-C or at a limit. The file can be played at any time, even during the recording.

      To show a recording to others, use --scrub. It moves the track to a random place on Earth and rotates it by a random \
      angle. 'locationctl capture --scrub FILE' records such a track; 'locationctl capture --scrub FILE COPY' makes such a copy \
      of a capture, an NMEA log or a UBX log. Speeds, distances, times, dates, accuracies, signal strengths and faults are \
      kept. Positions, courses, heights, magnetic variation, satellite numbers and positions, serial numbers and unknown data \
      are changed or removed. The shape of the track is kept, too, so somebody can recognize a long drive on a map.
      """)

  @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
  var file: String

  @Argument(
    help: ArgumentHelp(
      "With --scrub: the copy to write. The first file is then the recording to read.", valueName: "copy"))
  var copy: String?

  @Flag(help: "Shift the track to another place on Earth, and remove data that identifies you or your receiver.")
  var scrub = false

  @Flag(help: "With --scrub: keep the satellites. They reveal your position to within a few hundred km.")
  var keepSky = false

  @Flag(help: "With --scrub: keep unknown sentences and messages. They may reveal your position.")
  var keepUnknown = false

  @Option(
    help: ArgumentHelp("End after this time.", valueName: "time"),
    transform: { try Bounds.time($0, upTo: Bounds.watch) })
  var duration: Double?

  @Option(
    help: ArgumentHelp("End before the file is larger than this, such as 500000, 500k, 20M or 1G.", valueName: "bytes"),
    transform: { try Bounds.size($0) })
  var sizeLimit: Int?

  @Flag(help: "Replace a file that exists.")
  var force = false

  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption

  func validate() throws {
    guard scrub || copy == nil else { throw ValidationError("Specify one file, or two files with --scrub.") }
    guard scrub || !(keepSky || keepUnknown) else {
      throw ValidationError("--keep-sky and --keep-unknown need --scrub.")
    }
    guard copy == nil || (duration == nil && sizeLimit == nil && origin.source == nil) else {
      throw ValidationError("--duration, --size-limit and --source are for recording, not for copying: leave them out.")
    }
  }

  private var scrubChoice: ScrubChoice? {
    scrub ? ScrubChoice(keepsSky: keepSky, keepsUnknown: keepUnknown) : nil
  }

  private var comment: String { "locationctl \(Version.current)\(scrub ? ", scrubbed" : "")" }

  func execute() throws -> CommandStatus {
    if let copy { return scrub(to: copy) }
    let source = try origin.resolved()
    // A recording is copied as fast as it can be read.
    var isRecorded = false
    if case .replay(let path) = source {
      isRecorded = true
      if CaptureRecording.isOneFile(file, path) { return Diagnostics.report(Self.sameFile(file)) }
    }
    return CommandSession.withReceivers(source, realtime: !isRecorded) { session, receivers in
      var limits = CaptureRecording.Limits()
      limits.duration = duration.map { .seconds($0) }
      limits.size = sizeLimit
      do throws(CaptureFileError) {
        let recording = try CaptureRecording(
          path: file, replacing: force, limits: limits, scrub: scrubChoice, comment: comment)
        return CaptureRun(session, of: receivers, to: recording, limits: limits, isRecorded: isRecorded).run()
      } catch {
        if case .exists(let path) = error, scrub {
          return Diagnostics.report(
            FailureMessage(
              "\(TerminalText.sanitized(path)) exists: to copy it, also specify a file for the copy; to record, use another file.",
              .cannotWrite))
        }
        return Diagnostics.report(FailureMessage(error))
      }
    }
  }

  private static func sameFile(_ path: String) -> FailureMessage {
    FailureMessage("\(TerminalText.sanitized(path)) is the recording itself: use another file for the copy.", .usage)
  }

  private func scrub(to copy: String) -> CommandStatus {
    do throws(ScrubbedCopy.Failure) {
      let report = try ScrubbedCopy.write(
        of: file, to: copy, replacing: force, ScrubChoice(keepsSky: keepSky, keepsUnknown: keepUnknown),
        comment: comment)
      Diagnostics.print(Self.sentence(report))
      return .done
    } catch {
      switch error {
      case .input(let error): return Diagnostics.report(FailureMessage(error))
      case .output(.readerGone): return .done
      case .output(let error): return Diagnostics.report(FailureMessage(error))
      case .damaged(let reason):
        return Diagnostics.report(
          FailureMessage(
            "\(TerminalText.sanitized(file)) is damaged (\(TerminalText.sanitized(reason))): the copy contains everything "
              + "before the damage.", .badInput))
      case .sameFile:
        return Diagnostics.report(Self.sameFile(copy))
      }
    }
  }

  private static func sentence(_ report: ScrubReport) -> String {
    var parts = [CountedNoun.text(report.positionsMoved, "position was moved", "positions were moved")]
    if report.framesBlanked > 0 {
      parts.append(
        CountedNoun.text(report.framesBlanked, "sentence or message blanked", "sentences and messages blanked"))
    }
    if report.bytesBlanked > 0 { parts.append("\(CountedNoun.text(report.bytesBlanked, "other byte")) blanked") }
    if report.scansDropped > 0 { parts.append("\(CountedNoun.text(report.scansDropped, "Wi-Fi scan")) left out") }
    return parts.joined(separator: ", ") + "."
  }
}
