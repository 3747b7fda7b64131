import LinuxIO
import TrackFormats

/// A third-party file of places.
struct PlaceFile {
  /// Maximum size, bytes; larger files are not lists of places.
  private static let maximumSize = 256 * 1024 * 1024
  private static let remedy =
    "use GPX waypoints, GeoJSON, KML, CSV with the columns lat and lon, or lines of LAT,LON,NAME"

  /// `-`: standard input.
  let path: String

  /// The places, in the order of the file; prints the number of features that were left out.
  func read() throws(FailureMessage) -> [NamedPlace] {
    let bytes = try bytes()
    let (places, leftOut) = try Self.parse(bytes, name, path)
    guard !places.isEmpty else { throw FailureMessage("There are no places in \(name): \(Self.remedy).", .badInput) }
    if leftOut > 0 {
      Diagnostics.print(
        "\(CountedNoun.text(leftOut, "feature")) of \(name) \(leftOut == 1 ? "was" : "were") left out, because only points and areas can be sorted."
      )
    }
    return places
  }

  /// The name in messages.
  private var name: String { path == "-" ? "standard input" : TerminalText.sanitized(path) }

  private static func parse(
    _ bytes: [UInt8], _ name: String, _ path: String
  ) throws(FailureMessage) -> (places: [NamedPlace], leftOut: Int) {
    do throws(PlaceListError) {
      return try PlaceList.read(bytes)
    } catch {
      throw message(error, name)
    }
  }

  private func bytes() throws(FailureMessage) -> [UInt8] {
    do throws(InputFileError) {
      guard path == "-" else { return try InputFile.content(of: path, maximumSize: Self.maximumSize) }
      do throws(SystemError) {
        return try StandardInput.read(maximumSize: Self.maximumSize)
      } catch {
        throw .system(error)
      }
    } catch {
      throw FailureMessage(error, path: name, remedy: Self.remedy)
    }
  }

  private static func message(_ error: PlaceListError, _ name: String) -> FailureMessage {
    switch error {
    case .features(let error): FailureMessage(error, path: name, consequence: "cannot be read", remedy: remedy)
    case .waypoints(let error):
      FailureMessage("\(name) cannot be read (\(FailureMessage.reason(error))): \(remedy).", .badInput)
    case .line(let line): FailureMessage("Line \(line) of \(name) is not a position: \(remedy).", .badInput)
    case .header:
      FailureMessage("The header of \(name) has only one of the columns lat and lon: add the other one.", .badInput)
    case .tooMany(let most): FailureMessage("There are more than \(most) places in \(name): split the file.", .badInput)
    }
  }
}
