import Geodesy
import LinuxIO
import LocationIPC
import Positioning

/// Writes the access point database as tiles into a folder.
struct TileExport {
  /// Maximum number of access points in memory at the same time. Each takes about 48 bytes, including the spare room of
  /// growing arrays.
  private static let most = 4_000_000

  let folder: String
  /// The size limit of a tile, bytes; `nil`: no limit.
  let budget: Int?

  func execute(_ session: CommandSession) -> CommandStatus {
    var tiles: [TileKey: [AccessPointPosition]] = [:]
    var count = 0
    // If an access point was both learned and imported, the tile uses the more accurate position.
    let reading = AccessPointReading(session, of: [.imported, .learned]) { places in
      count += places.count
      guard count <= Self.most else {
        return Diagnostics.report(
          FailureMessage(
            "There are more than \(Self.most) access points, which is the limit of one export: delete some with 'locationctl wifi forget'.",
            .cannotWrite))
      }
      for known in places { tiles[TileKey(known.place.coordinate), default: []].append(known.place) }
      return nil
    }
    let status = reading.execute()
    guard status == .done else { return status }
    guard count > 0 else {
      Diagnostics.print(
        "There are no access points yet, and nothing was written: import some with 'locationctl wifi import'.")
      return .done
    }
    return write(tiles, count)
  }

  private func write(_ tiles: [TileKey: [AccessPointPosition]], _ count: Int) -> CommandStatus {
    guard let today = WallClock.now().date else { return .protocolError }
    let progress = CountedProgress("tiles", of: tiles.count)
    defer { progress.clear() }
    var (written, kept) = (0, 0)
    for (key, places) in tiles.sorted(by: { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }) {
      let path = "\(folder)/\(key.path)"
      do throws(TileEncodingError) {
        let chosen = try chosen(places, key, today)
        let bytes = try AccessPointTile.encode(chosen, in: key, on: today)
        kept += chosen.count
        do throws(SystemError) {
          try StateFile.write(path, bytes, waitsForDisk: false, isPublic: true)
        } catch {
          progress.clear()
          return LogExportRun.cannotWrite(path, error)
        }
      } catch {
        progress.clear()
        return Diagnostics.report(
          FailureMessage(
            "Tile \(key.path) cannot be written, because it contains too many access points: limit its size with --budget.",
            .cannotWrite))
      }
      written += 1
      progress.show(written)
    }
    progress.clear()
    Diagnostics.print("\(kept) of \(count) access points written, in \(written) \(written == 1 ? "tile" : "tiles").")
    return .done
  }

  private func chosen(
    _ places: [AccessPointPosition], _ key: TileKey, _ day: CalendarDate
  ) throws(TileEncodingError) -> [AccessPointPosition] {
    guard let budget, try AccessPointTile.encode(places, in: key, on: day).count > budget else { return places }
    return try TileSelection.select(places, in: key, on: day, budget: budget)
  }
}
