import ArgumentParser
import LocationDaemon

/// `locationctl capture`: records what the sources say.
struct CaptureCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Record what the receivers say, and when.",
    discussion: """
      The file can be played with 'locationctl replay'. It grows until Ctrl-C, or a limit, ends it; it is readable at \
      any time.
      """)

  @Argument(help: ArgumentHelp("The capture to write; - is standard output.", valueName: "file"))
  var file: String

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

  func execute() throws -> CommandStatus {
    let source = try origin.resolved()
    // A recording is copied as fast as it can be read.
    let isRecorded = if case .replay = source { true } else { false }
    return withHost(source, realtime: !isRecorded) { host in
      var limits = CaptureRecording.Limits()
      limits.duration = duration.map { .seconds($0) }
      limits.size = sizeLimit
      do throws(CaptureFileError) {
        let recording = try CaptureRecording(
          path: file, replacing: force, limits: limits, comment: "locationctl \(Version.current)")
        return CaptureRun(host: host, recording: recording, limits: limits, isRecorded: isRecorded).execute()
      } catch {
        return Diagnostics.end(FailureSentence(error))
      }
    }
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
