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

  func load(into timeline: inout TrackTimeline) -> CommandStatus? {
    read(into: &timeline).map { Diagnostics.report($0) }
  }

  private func read(into timeline: inout TrackTimeline) -> FailureMessage? {
    let name = TerminalText.sanitized(path)
    let bytes: [UInt8]
    do throws(InputFileError) {
      bytes = try ReplaceableFile(path: path, maximumSize: Self.maximumSize).bytes
    } catch {
      return FailureMessage(error, path: path, remedy: "use a GPX file")
    }
    var result = GPXReader.Result()
    result.timeline = timeline
    let before = timeline.count
    do throws(GPXError) {
      try GPXReader.read(bytes, into: &result)
    } catch {
      return FailureMessage(error, path: path)
    }
    timeline = result.timeline
    guard timeline.count > before else {
      let reason =
        result.pointsWithoutTime > 0 ? "none of its \(result.pointsWithoutTime) points has a time" : "it has no points"
      return FailureMessage("\(name) cannot be used (\(reason)): use a recorded track.", .badInput)
    }
    return nil
  }
}
