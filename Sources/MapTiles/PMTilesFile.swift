internal import CZlib
import LinuxIO
import MapServing

/// A PMTiles archive. Directories that were read last are kept.
final class PMTilesFile: TileFile {
  let description: TileDescription
  private let file: InputFile
  private let header: PMTilesHeader
  private let root: PMTilesDirectory
  private var leaves: [(offset: UInt64, directory: PMTilesDirectory)] = []

  private static let mostLeaves = 8
  /// The root and three levels below it (specification, section 4).
  private static let deepest = 4

  init(_ file: consuming InputFile, header bytes: [UInt8]) throws(TileFileError) {
    do throws(PMTilesHeader.Problem) {
      header = try PMTilesHeader(bytes)
      root = try PMTilesDirectory(Self.content(file, header.root, header.directoryCompression))
      let metadata = try Self.content(file, header.metadata, header.directoryCompression)
      description = TileDescription(
        content: header.content, schema: TileDescription.schema(ofMetadata: metadata), leastZoom: header.leastZoom,
        mostZoom: header.mostZoom, area: header.area,
        attribution: TileDescription.attribution(inMetadata: metadata))
    } catch {
      throw .archive(error)
    }
    self.file = file
  }

  func tile(_ address: TileAddress) -> StoredTile? {
    let number = address.archiveNumber
    var found = root.find(number)
    for _ in 1..<Self.deepest {
      guard case .directory(let offset, let length) = found else { break }
      found = leaf(offset, length)?.find(number)
    }
    guard case .tile(let offset, let length) = found, length <= TileFiles.largestTile,
      let bytes = Self.read(file, at: header.tiles.offset &+ offset, length)
    else { return nil }
    return StoredTile(bytes: bytes, isGzip: header.tileCompression == .gzip)
  }

  private func leaf(_ offset: UInt64, _ length: Int) -> PMTilesDirectory? {
    if let known = leaves.first(where: { $0.offset == offset }) { return known.directory }
    let section = PMTilesHeader.Section(offset: header.leaves.offset &+ offset, length: UInt64(length))
    guard let bytes = try? Self.content(file, section, header.directoryCompression),
      let directory = try? PMTilesDirectory(bytes)
    else { return nil }
    if leaves.count == Self.mostLeaves { leaves.removeFirst() }
    leaves.append((offset, directory))
    return directory
  }

  private static func content(
    _ file: borrowing InputFile, _ section: PMTilesHeader.Section, _ compression: PMTilesHeader.Compression
  ) throws(PMTilesHeader.Problem) -> [UInt8] {
    guard section.length <= UInt64(TileFiles.largestMetadata),
      let bytes = read(file, at: section.offset, Int(section.length))
    else { throw .damaged }
    guard compression == .gzip, !bytes.isEmpty else { return bytes }
    guard let content = Gzip.content(of: bytes, most: TileFiles.largestMetadata) else { throw .damaged }
    return content
  }

  /// All of a part of the file; `nil` if the file ends before.
  private static func read(_ file: borrowing InputFile, at offset: UInt64, _ length: Int) -> [UInt8]? {
    guard offset <= 1 << 62 else { return nil }
    var bytes = [UInt8](repeating: 0, count: length)
    guard length == 0 || (try? file.read(into: &bytes, at: Int(offset))) == length else { return nil }
    return bytes
  }
}

/// What was compressed with gzip.
package enum Gzip {
  /// `nil` if it is damaged, or if it has more than `most` bytes.
  package static func content(of bytes: [UInt8], most: Int) -> [UInt8]? {
    // Most texts shrink to a fifth: room for all would be cleared, and then copied.
    var room = min(max(bytes.count * 8, 4096), most)
    while true {
      var output = [UInt8](repeating: 0, count: room)
      let count = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe czlib_inflate(input.baseAddress, input.count, output.baseAddress, output.count)
        }
      }
      if count >= 0 {
        output.removeLast(room - count)
        return output
      }
      guard room < most else { return nil }
      room = most
    }
  }
}
