import LinuxIO
import TrackFormats

/// A source of a track.
protocol TimelineSource {
  /// Adds the track to `timeline`. If the track cannot be read, prints why and returns the exit status.
  func load(into timeline: inout TrackTimeline) -> CommandStatus?
}

/// A GPX file from any program.
struct GPXFileSource: TimelineSource {
  let path: String

  /// The size limit of a file, bytes.
  static let maximumSize = 512_000_000

  func load(into timeline: inout TrackTimeline) -> CommandStatus? { read(into: &timeline).map { Diagnostics.end($0) } }

  private func read(into timeline: inout TrackTimeline) -> FailureSentence? {
    let name = TerminalText.sanitized(path)
    let bytes: [UInt8]
    do throws(InputFileError) {
      bytes = try ReplaceableFile(path: path, maximumSize: Self.maximumSize).bytes
    } catch {
      return FailureSentence(error, path: path, remedy: "name a GPX file")
    }
    var result = GPXReader.Result()
    result.timeline = timeline
    let before = timeline.count
    do throws(GPXError) {
      try GPXReader.read(bytes, into: &result)
    } catch {
      return FailureSentence(error, path: path)
    }
    timeline = result.timeline
    guard timeline.count > before else {
      let reason =
        result.pointsWithoutTime > 0 ? "none of its \(result.pointsWithoutTime) points has a time" : "it has no points"
      return FailureSentence("\(name) cannot be used (\(reason)): name a recorded track.", .badInput)
    }
    return nil
  }
}

extension FailureSentence {
  /// Why a file is not a track.
  init(_ error: GPXError, path: String) {
    self.init(
      "\(TerminalText.sanitized(path)) is not a GPX track (\(Self.reason(error))): name a GPX file.", .badInput)
  }

  private static func reason(_ error: GPXError) -> String {
    switch error {
    case .notXML(let offset): "not XML at byte \(offset)"
    case .notGPX: "its root element is not gpx"
    case .documentType: "it has a document type declaration"
    case .badPoint(let offset): "a point without a position before byte \(offset)"
    case .badTime(let offset): "an invalid time before byte \(offset)"
    }
  }

  /// Why a file could not be read.
  init(_ error: InputFileError, path: String, remedy: String) {
    let name = TerminalText.sanitized(path)
    switch error {
    case .doesNotExist: self.init("There is no file \(name): \(remedy).", .badInput)
    case .isNotARegularFile: self.init("\(name) is not a regular file: \(remedy).", .badInput)
    case .system(let error):
      self.init(
        "\(name) cannot be read (\(ErrorWords.of(error.errno))): \(remedy).",
        error.isPermission ? .denied : .badInput)
    }
  }
}
