package import LinuxIO
package import MapServing

/// A tile as its file has it.
package struct StoredTile: Hashable, Sendable {
  package var bytes: [UInt8]
  package var isGzip: Bool
}

/// A file of tiles, which is only read. Whatever it contains, no answer takes more than some megabytes and some milliseconds.
package protocol TileFile: AnyObject {
  var description: TileDescription { get }
  /// `nil`: the file does not have it, or it is not valid.
  func tile(_ address: TileAddress) -> StoredTile?
}

/// Why a file of tiles cannot be used.
package enum TileFileError: Error, Hashable, Sendable {
  case input(InputFileError)
  case neitherFormat
  case archive(PMTilesHeader.Problem)
  /// SQLite's message, or what is missing.
  case database(String)
  /// What the tiles are, which cannot be shown.
  case content(String)

  /// Why, without the file's name.
  package var reason: String {
    switch self {
    case .input(.doesNotExist): "there is no such file"
    case .input(.isNotARegularFile): "it is not a regular file"
    case .input(.system(let error)): ErrorDescription.of(error.errno)
    case .neitherFormat: "it is neither a PMTiles archive nor an MBTiles file"
    case .archive(.otherVersion(let number)):
      "it is a PMTiles archive of version \(number): 'pmtiles convert' makes one of version 3"
    case .archive(.compression(3)), .archive(.compression(4)):
      "its content is compressed with brotli or zstd: make it again with gzip"
    case .archive(.compression), .archive(.damaged), .archive(.notAnArchive): "it is damaged"
    case .archive(.tileType(6)): "its tiles are in MapLibre's format MLT: make it again with vector tiles (MVT)"
    case .archive(.tileType): "its tiles are neither vector tiles nor PNG, JPEG or WebP"
    case .database(let text): "it is no valid MBTiles file (\(text))"
    case .content(let format): "its tiles are '\(format)': neither vector tiles nor PNG, JPEG or WebP"
    }
  }
}

/// Opens files of tiles.
package enum TileFiles {
  /// The largest tile, bytes: those of common maps have at most 500 kB.
  package static let largestTile = 4 << 20
  /// The largest list of layers, and the largest directory, bytes.
  static let largestMetadata = 2 << 20

  /// Opens a PMTiles archive or an MBTiles file, by its first bytes.
  package static func open(_ path: String) throws(TileFileError) -> any TileFile {
    let file: InputFile
    do throws(InputFileError) { file = try InputFile(path: path) } catch { throw .input(error) }
    var start = [UInt8](repeating: 0, count: PMTilesHeader.size)
    let count: Int
    do throws(SystemError) { count = try file.read(into: &start, at: 0) } catch { throw .input(.system(error)) }
    let bytes = Array(start.prefix(count))
    if bytes.starts(with: "PMTiles".utf8) { return try PMTilesFile(file, header: bytes) }
    guard bytes.starts(with: "SQLite format 3\0".utf8) else { throw .neitherFormat }
    return try MBTilesFile(path)
  }

  /// The layer `map` of a file of places; `nil` if it has none.
  package static func open(places path: String) -> (any TileFile)? { try? MBTilesFile(places: path) }
}
