import Geodesy
import LinuxIO
import TrackFormats

/// Writes positions of a track into photographs, one at a time.
struct PhotographTagger {
  let timeline: TrackTimeline
  let clock: CameraClock
  /// The largest time difference between a photograph and a fix, and between the two fixes that a position is interpolated from.
  let limit: Duration
  /// Whether an existing position is replaced.
  let overwrites: Bool
  /// Whether to write nothing (a dry run).
  let isTrial: Bool

  /// The size limit of a photograph, bytes.
  static let maximumSize = 256_000_000

  func tag(_ path: String) -> GeotagOutcome {
    let name = TerminalText.sanitized(path)
    func skipped(_ reason: String, _ sentence: String, _ status: CommandStatus) -> GeotagOutcome {
      .skipped(reason: reason, FailureMessage("\(name) \(sentence).", status))
    }
    let file: ReplaceableFile
    do throws(InputFileError) {
      file = try ReplaceableFile(path: path, maximumSize: Self.maximumSize)
    } catch {
      return .skipped(reason: "unreadable", FailureMessage(error, path: path, remedy: "use a JPEG photograph"))
    }
    do throws(PhotographError) {
      let photograph = try Photograph(file.bytes)
      if photograph.hasPosition, !overwrites { throw PhotographError.hasPosition }
      guard let time = clock.utc(of: photograph.time) else { throw PhotographError.noTime }
      guard let sample = timeline.sample(at: time, within: limit) else {
        return skipped("notInTrack", "was taken \(when(time)): \(Self.remedy)", .locationUnknown)
      }
      let position = PhotographPosition(
        time: time, coordinate: sample.coordinate, heightAboveMeanSeaLevel: sample.heightAboveMeanSeaLevel,
        horizontalRadius68: sample.horizontalRadius68)
      let tagged = try photograph.tagged(with: position)
      guard !isTrial else { return .tagged(position) }
      do throws(SystemError) {
        try file.replace(with: tagged)
      } catch {
        return skipped(
          "unwritable", "cannot be written (\(ErrorDescription.of(error.errno))) and was not changed",
          error.isPermission ? .denied : .cannotWrite)
      }
      return .tagged(position)
    } catch {
      switch error {
      case .notJPEG: return skipped("notJPEG", "is not a JPEG photograph and was not changed", .badInput)
      case .damaged(let offset):
        return skipped("damaged", "is damaged at byte \(offset) and was not changed", .badInput)
      case .noTime:
        return skipped(
          "noTime", "does not contain the time when it was taken (EXIF DateTimeOriginal) and was not changed", .badInput
        )
      case .badTime(let text):
        return skipped(
          "noTime",
          "has '\(TerminalText.sanitized(text))' as its EXIF DateTimeOriginal, which is not a time, and was not changed",
          .badInput)
      case .hasPosition:
        return skipped("hasPosition", "has a position already: replace it with --overwrite", .done)
      case .noRoom: return skipped("noRoom", "has no room left in its EXIF data and was not changed", .badInput)
      case .linkedPictures:
        return skipped("linkedPictures", "contains other pictures before its EXIF data and was not changed", .badInput)
      }
    }
  }

  private func when(_ time: GNSSTime) -> String {
    let look = Presentation.current
    let text = TimeText.moment(time, look) ?? "at an invalid time"
    guard let range = timeline.range, let first = TimeText.moment(range.lowerBound, look),
      let last = TimeText.moment(range.upperBound, look)
    else { return text }
    if range.contains(time) { return "\(text), and the track has no fix within \(limit.components.seconds) s of that" }
    return "\(text), outside the track (\(first) to \(last))"
  }

  private static let remedy = "check --timezone, --shift and --max-gap"
}
