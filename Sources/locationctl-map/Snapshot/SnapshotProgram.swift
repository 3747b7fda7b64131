import LinuxIO
import LocationPolicy
import LocationdClient
import MapDrawing
import MapServing
import MapSnapshot
import MapTiles
import TerminalPicture

/// `locationctl map --snapshot` and `--terminal`, and `locationctl log export --format png`.
enum SnapshotProgram {
  static func run(_ arguments: [String]) -> ExitStatus {
    guard let options = SnapshotOptions(arguments) else {
      return MapProgram.fail(.usage, "'locationctl map' starts this program")
    }
    if case .terminal = options.output, !TerminalPicture.isPossible {
      return MapProgram.fail(.noSource, "libchafa is not installed: install the package libchafa0, or libchafa0t64")
    }
    var overlays: [OverlayFile] = []
    for path in options.overlays {
      do throws(OverlayFile.Problem) {
        overlays.append(try OverlayFile(path: path, number: overlays.count, options.appearance))
      } catch {
        let name = path == "-" ? "standard input" : path
        return MapProgram.fail(.badInput, "\(name) cannot be shown: \(error.reason)")
      }
    }
    let tiles: [any TileFile]
    do throws(TileFileProblem) { tiles = try Basemap.files(options.tiles) } catch {
      return MapProgram.fail(.badInput, error.message)
    }
    var data: SnapshotData?
    if options.needsService {
      do throws(HostError) {
        let purpose = "to show it on a map"
        guard
          let service = try RemoteHost(
            name: "locationctl map", usage: DeclaredUsage(whenInUse: purpose, always: purpose))
        else { return MapProgram.fail(.noSource, MapProgram.noService) }
        let read = SnapshotData(options, service)
        try read.read()
        if let failure = read.failure { return failure }
        data = read
      } catch {
        return MapProgram.status(error)
      }
    }
    if let empty = data?.tracks.first(where: { $0.track.count == 0 }) {
      let period = options.from == nil && options.to == nil ? "" : " in that period"
      return MapProgram.fail(.noData, "the log '\(empty.name)' has no fix\(period): see 'locationctl log list'")
    }
    if options.showsRegions, data?.regions.isEmpty ?? true, options.logs.isEmpty, !options.showsPosition,
      overlays.isEmpty
    {
      return MapProgram.fail(.noData, "there are no regions: 'locationctl region add' makes one")
    }
    do throws(MapPictureError) {
      return try draw(options, data, overlays, tiles)
    } catch {
      return MapProgram.fail(.cannotWrite, error.description)
    }
  }

  private static func draw(
    _ options: SnapshotOptions, _ data: SnapshotData?, _ overlays: [OverlayFile], _ tiles: [any TileFile]
  ) throws(MapPictureError) -> ExitStatus {
    if case .terminal(let kind) = options.output {
      return try TerminalOutput(kind ?? TerminalOutput.best).show(options, data, overlays, tiles)
    }
    var scene = SnapshotScene(options, tiles, width: options.width, height: options.height)
    scene.fill(data, overlays)
    let picture = MapPicture(scene.scene, scale: options.scale)
    switch options.output {
    case .file(let path):
      return write(path.lowercased().hasSuffix(".svg") ? try picture.svg() : try picture.png(), path, options)
    case .standardOutput, .terminal: return print(try picture.png())
    }
  }

  static func print(_ bytes: [UInt8]) -> ExitStatus {
    switch StandardOutput.write(bytes) {
    case .written, .readerGone: .done
    case .failed(let number):
      MapProgram.fail(.cannotWrite, "standard output cannot be written: \(ErrorDescription.of(number))")
    }
  }

  private static func write(_ bytes: [UInt8], _ path: String, _ options: SnapshotOptions) -> ExitStatus {
    do throws(SystemError) {
      var file = try NewFile(path: path, replacing: options.replaces, mode: 0o666)
      try file.append(bytes)
      try file.finish()
      return .done
    } catch {
      let remedy = error.isExistence ? "use a new file, or add --force to replace this one" : "check its folder"
      return MapProgram.fail(.cannotWrite, "\(path) cannot be written (\(ErrorDescription.of(error.errno))): \(remedy)")
    }
  }
}
