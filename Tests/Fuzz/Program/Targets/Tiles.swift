import MapDrawing
import MapServing

/// The parts of files of tiles: a PMTiles header, a directory, the JSON of layers and a vector tile. Whatever they are, what is found lies
/// inside of them, and every address of a tile has one number.
func checkTiles(_ input: [UInt8]) {
  if let header = try? PMTilesHeader(input) { precondition(header.leastZoom <= header.mostZoom) }
  if let directory = try? PMTilesDirectory(input) {
    for number in [0, 1, 5, 19_078_479, UInt64.max] {
      if case .tile(_, let length) = directory.find(number) { precondition(length > 0) }
    }
  }
  _ = TileDescription.schema(ofMetadata: input)
  let notice = TileDescription(
    content: .vector, schema: .unknown, leastZoom: -5, mostZoom: 99, area: nil,
    attribution: String(decoding: input, as: UTF8.self))
  precondition(!notice.attribution.contains("<") && notice.mostZoom <= 22)
  var points = 0
  VectorTile(zoom: 0, column: 0, row: 0, bytes: input).forEach({ _ in true }) { feature in
    points += feature.parts.reduce(0) { $0 + $1.count }
    precondition(feature.parts.allSatisfy { !$0.isEmpty })
  }
  // Each point takes at least two bytes.
  precondition(points <= input.count)
  if input.count >= 9 {
    let zoom = Int(input[0]) % 23
    func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(input[offset + $1]) } % (1 << zoom) }
    if let address = TileAddress(zoom: zoom, column: number(1), row: number(5)) {
      let first = (0..<zoom).reduce(UInt64(0)) { $0 + 1 << (2 * UInt64($1)) }
      precondition((first..<(first + 1 << (2 * UInt64(zoom)))).contains(address.archiveNumber))
    }
  }
}
