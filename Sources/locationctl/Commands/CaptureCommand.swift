import ArgumentParser
import LinuxIO
import LocationdHost

/// `locationctl capture`: records what the sources say, or scrubs what was recorded.
struct CaptureCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Record what the receivers say, and when.",
    discussion: """
      The file can be played with 'locationctl replay'. It grows until Ctrl-C, or a limit, ends it; it is readable at \
      any time.

      With --scrub the track is moved elsewhere and turned by a secret that is forgotten, so that a capture can be shown \
      around: 'locationctl capture --scrub FILE' records so, 'locationctl capture --scrub FILE COPY' makes a copy of a \
      capture, an NMEA or a UBX log. Speeds, distances, times and dates, accuracies, satellites' signals and all faults \
      stay; positions, courses, heights, magnetic variation, satellites' numbers and places, serial numbers and whatever \
      is not known do not. The shape of the track stays too: a long drive can be recognised by the bends of its road.
      """)

  @Argument(help: ArgumentHelp("The capture to write; - is standard output.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("With --scrub: the copy to write of a recording that exists.", valueName: "copy"))
  var copy: String?

  @Flag(help: "Move the track elsewhere, and leave out what tells whose it is.")
  var scrub = false

  @Flag(help: "With --scrub: leave satellites' numbers and places; they tell where you were to some hundred km.")
  var keepSky = false

  @Flag(help: "With --scrub: leave sentences and messages that are not known; they may tell where you were.")
  var keepUnknown = false

  @Option(
    help: ArgumentHelp("End after this long.", valueName: "seconds"),
    transform: { try Bounds.positive($0, upTo: Bounds.watch, unit: "seconds") })
  var duration: Double?

  @Option(
    help: ArgumentHelp("End before the file is larger than this: 500000, 500k, 20M, 1G.", valueName: "bytes"),
    transform: { try Bounds.size($0) })
  var sizeLimit: Int?

  @Flag(help: "Replace a file that exists.")
  var force = false

  @OptionGroup var origin: SourceOptions

  func validate() throws {
    guard scrub || copy == nil else { throw ValidationError("Give one file, or --scrub and two.") }
    guard scrub || !(keepSky || keepUnknown) else {
      throw ValidationError("--keep-sky and --keep-unknown go with --scrub.")
    }
    guard copy == nil || (duration == nil && sizeLimit == nil && origin.source == nil) else {
      throw ValidationError("A copy has no --duration, --size-limit or --source.")
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
      if CaptureRecording.isOneFile(file, path) { return Diagnostics.end(Self.sameFile(file)) }
    }
    return Self.withReceivers(source, realtime: !isRecorded) { host in
      var limits = CaptureRecording.Limits()
      limits.duration = duration.map { .seconds($0) }
      limits.size = sizeLimit
      do throws(CaptureFileError) {
        let recording = try CaptureRecording(
          path: file, replacing: force, limits: limits, scrub: scrubChoice, comment: comment)
        return CaptureRun(host: host, recording: recording, limits: limits, isRecorded: isRecorded).execute()
      } catch {
        if case .exists(let path) = error, scrub {
          return Diagnostics.end(
            FailureSentence(
              "\(TerminalText.sanitized(path)) exists: to scrub it, name the copy too; to record, name another file.",
              .cannotWrite))
        }
        return Diagnostics.end(FailureSentence(error))
      }
    }
  }

  private static func sameFile(_ path: String) -> FailureSentence {
    FailureSentence("\(TerminalText.sanitized(path)) is the recording itself: name another file.", .usage)
  }

  private func scrub(to copy: String) -> CommandStatus {
    do throws(ScrubbedCopy.Failure) {
      let report = try ScrubbedCopy.write(
        of: file, to: copy, replacing: force, ScrubChoice(keepsSky: keepSky, keepsUnknown: keepUnknown),
        comment: comment)
      Diagnostics.say(Self.sentence(report))
      return .done
    } catch {
      switch error {
      case .input(let error): return Diagnostics.end(FailureSentence(error))
      case .output(.readerGone): return .done
      case .output(let error): return Diagnostics.end(FailureSentence(error))
      case .damaged(let reason):
        return Diagnostics.end(
          FailureSentence(
            "\(TerminalText.sanitized(file)) is damaged (\(TerminalText.sanitized(reason))): what came before that is "
              + "in the copy.", .badInput))
      case .sameFile:
        return Diagnostics.end(Self.sameFile(copy))
      }
    }
  }

  private static func sentence(_ report: ScrubReport) -> String {
    var parts = ["\(report.positionsMoved) positions were moved"]
    if report.framesBlanked > 0 { parts.append("\(report.framesBlanked) sentences and messages blanked") }
    if report.bytesBlanked > 0 { parts.append("\(report.bytesBlanked) bytes blanked that were in neither") }
    if report.scansDropped > 0 { parts.append("\(report.scansDropped) Wi-Fi scans left out") }
    return parts.joined(separator: ", ") + "."
  }
}

extension FailureSentence {
  /// Why a capture cannot be written.
  init(_ error: CaptureFileError) {
    switch error {
    case .exists(let path):
      self.init(
        "\(TerminalText.sanitized(path)) exists: name another file, or replace it with --force.", .cannotWrite)
    case .cannotCreate(let path, let errno):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be written (\(ErrorWords.of(errno))): name another file.", .cannotWrite)
    case .cannotWrite(let path, let errno, let kept):
      self.init(
        "\(TerminalText.sanitized(path)) takes no more (\(ErrorWords.of(errno))): "
          + "the \(kept) bytes before that are in it and can be played.", .cannotWrite)
    case .readerGone: self.init("The reader has gone.", .done)
    }
  }
}
