import Geodesy
import Positioning
import WireFormats

/// Any bytes as a tile, with a correct checksum: rejected, or a tile whose access points lie in it, that finds each of them, and
/// whose access points make a tile with the same content.
func checkTile(_ bytes: [UInt8]) {
  precondition((try? AccessPointTile(bytes)) == nil || bytes.count >= 19, "too short")
  guard let tile = try? AccessPointTile(AccessPointTile.sealed(bytes)), let places = try? tile.places() else { return }
  precondition(places.count == tile.count, "another number than it says")
  precondition(places.allSatisfy { TileKey($0.coordinate) == tile.key }, "elsewhere")
  precondition(zip(places, places.dropFirst()).allSatisfy { $0.bssid < $1.bssid }, "out of order")
  let some = stride(from: 0, to: places.count, by: max(1, places.count / 8)).map { places[$0] }
  precondition((try? tile.places(of: some.map(\.bssid))) == some, "not found again")
  guard let again = try? AccessPointTile.encode(places, in: tile.key, on: tile.day) else {
    preconditionFailure("cannot be written")
  }
  precondition((try? AccessPointTile(again).places()) == places, "wrote something else than was read")
  precondition(TileKey(path: tile.key.path) == tile.key, "another path")
}
