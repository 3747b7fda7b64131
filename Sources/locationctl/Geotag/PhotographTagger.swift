import Geodesy
import LinuxIO
import Photographs
import TrackFormats

/// Writes positions of a track into photographs, one at a time.
struct PhotographTagger {
  let timeline: TrackTimeline
  let clock: CameraClock
  /// How far in time a fix may be from a photograph, and two fixes from each other between which it was taken.
  let limit: Duration
  /// Whether a position that is there is replaced.
  let overwrites: Bool
  /// Whether nothing is written.
  let isTrial: Bool

  /// The largest photograph that is taken, bytes.
  static let maximumSize = 256_000_000

  func tag(_ path: String) -> GeotagOutcome {
    let name = TerminalText.sanitized(path)
    func skipped(_ reason: String, _ sentence: String, _ status: CommandStatus) -> GeotagOutcome {
      .skipped(reason: reason, FailureSentence("\(name) \(sentence).", status))
    }
    let file: ReplaceableFile
    do throws(InputFileError) {
      file = try ReplaceableFile(path: path, maximumSize: Self.maximumSize)
    } catch {
      return .skipped(reason: "unreadable", FailureSentence(error, path: path, remedy: "name a JPEG photograph"))
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
          "unwritable", "cannot be written (\(ErrorWords.of(error.errno))) and is as it was",
          error.isPermission ? .denied : .cannotWrite)
      }
      return .tagged(position)
    } catch {
      switch error {
      case .notJPEG: return skipped("notJPEG", "is no JPEG photograph and is as it was", .badInput)
      case .damaged(let offset):
        return skipped("damaged", "is not understood at byte \(offset) and is as it was", .badInput)
      case .noTime:
        return skipped(
          "noTime", "does not tell when it was taken (EXIF DateTimeOriginal) and is as it was", .badInput)
      case .badTime(let text):
        return skipped(
          "noTime", "says that it was taken at '\(TerminalText.sanitized(text))', which is no time, and is as it was",
          .badInput)
      case .hasPosition:
        return skipped("hasPosition", "has a position already, which --overwrite replaces", .done)
      case .noRoom: return skipped("noRoom", "has no room left in its EXIF and is as it was", .badInput)
      case .linkedPictures:
        return skipped("linkedPictures", "has other pictures in it before its EXIF and is as it was", .badInput)
      }
    }
  }

  private func when(_ time: GNSSTime) -> String {
    let text = Timestamp(time)?.iso8601 ?? "at no time"
    guard let range = timeline.range, let first = Timestamp(range.lowerBound), let last = Timestamp(range.upperBound)
    else { return text }
    if range.contains(time) { return "\(text), where the track has no fix within \(limit.components.seconds) s" }
    return "\(text), outside the track, which is from \(first.iso8601) to \(last.iso8601)"
  }

  private static let remedy = "check --timezone, --shift and --max-gap"
}
