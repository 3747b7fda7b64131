import Geodesy
import LinuxIO
import LocationStore
import LocationdService
import Regions
import TrackFormats

/// `log export` as a picture, which `locationctl-map` draws.
struct LogPicture {
  let log: String
  let from: GNSSTime?
  let to: GNSSTime?
  /// `nil` for standard output, which gets a PNG.
  let path: String?
  let replaces: Bool

  /// Whether the suffix of a file is that of a picture.
  static func isPicture(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".png") || name.hasSuffix(".svg")
  }

  private var output: [String] { ["--snapshot", path ?? "-"] + (replaces ? ["--force"] : []) }

  /// Draws the log; returns only if that fails.
  func write(_ zones: PrivacyZones, _ owner: KeyOption) -> CommandStatus {
    do throws(FailureMessage) {
      let key = try owner.read()
      if key != nil || !zones.isEmpty { return writeTrack(TrackClip(zones), key) }
    } catch {
      return Diagnostics.report(error)
    }
    func time(_ name: String, _ time: GNSSTime?) -> [String] {
      time.map { [name, "\($0.nanosecondsSince1970)"] } ?? []
    }
    return MapCommand.start(output + ["--log", log] + time("--from", from) + time("--to", to))
  }

  /// Reads the log here, because the other program decrypts and hides nothing, and passes the track on its standard input.
  private func writeTrack(_ clip: TrackClip, _ key: OwnerKey?) -> CommandStatus {
    var clip = clip
    let file: TrackFile
    do throws(SystemError) {
      file = try TrackFile()
    } catch {
      return LogExportRun.cannotWrite(TrackFile.folder, error)
    }
    var export = TrackExport(.gpx, name: log) { file.append($0) }
    var status = CommandSession.withService(.automatic) { session in
      LogReading(session, log: log, from: from, to: to, key: key) { entry in
        for entry in clip.add(entry) {
          if let failure = export.add(entry) { return failure }
        }
        return nil
      }.execute()
    }
    guard status == .done else { return status }
    guard export.fixes > 0 else {
      let reason = clip.hidden > 0 ? "Everything is hidden by --hide" : "There is no fix"
      return Diagnostics.report(FailureMessage("\(reason), so no picture was drawn.", .noSource))
    }
    status = export.finish()
    guard status == .done else { return status }
    return file.becomeInput() ?? MapCommand.start(output + ["--overlay", "-", "--title", log])
  }
}

/// Holds the noncopyable file so that a closure can use it.
private final class TrackFile {
  static let folder = "/tmp"
  private let file: NamelessFile

  init() throws(SystemError) { file = try NamelessFile(in: Self.folder) }

  func append(_ bytes: [UInt8]) -> CommandStatus? { run { () throws(SystemError) in try file.append(bytes[...]) } }

  func becomeInput() -> CommandStatus? { run { () throws(SystemError) in try file.becomeStandardInput() } }

  private func run(_ body: () throws(SystemError) -> Void) -> CommandStatus? {
    do throws(SystemError) {
      try body()
      return nil
    } catch {
      return LogExportRun.cannotWrite(Self.folder, error)
    }
  }
}
