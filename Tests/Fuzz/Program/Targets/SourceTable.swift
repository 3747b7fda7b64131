import Geodesy
import NetworkSources

/// Any bytes as a list of mount points: however they are cut, the same ones come out, with places on Earth and texts of limited length.
func checkSourceTable(_ bytes: [UInt8]) {
  let whole = TableReading(bytes, pieces: [bytes.count])
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == TableReading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == TableReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  let here = Coordinate(latitude: Angle(degrees: 48), longitude: Angle(degrees: 11))
  var near = NearestMounts(named: "mount", near: here, limit: 5)
  for mount in whole.mounts {
    // A byte that is no UTF-8 becomes a character of three.
    for text in [
      mount.name, mount.identifier, mount.format, mount.messages, mount.systems, mount.network, mount.country,
    ] {
      precondition(text.utf8.count <= 3 * MountPoint.longestText, "a long text")
      precondition(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character")
    }
    precondition(!mount.name.isEmpty)
    if let place = mount.coordinate {
      precondition((-90...90).contains(place.latitude.degrees) && (-180...180).contains(place.longitude.degrees))
    }
    near.add(mount)
  }
  precondition(near.entries.count == min(5, whole.mounts.count))
}

private struct TableReading: Equatable {
  var mounts: [MountPoint] = []
  var counts: [Int] = []
  var isEnded = false

  init(_ bytes: [UInt8], pieces: [Int]) {
    var reader = SourceTableReader()
    forEachPiece(of: bytes, pieces: pieces) { range in
      reader.push(bytes.span.extracting(range)) { mounts.append($0) }
    }
    isEnded = reader.isEnded
    reader.finish { mounts.append($0) }
    counts = [reader.byteCount, reader.lineCount, reader.badLineCount]
  }
}
