package import Fleet
import Geodesy
import LinuxIO
import WireFormats

/// The place up to which an outbox is acknowledged, in two sectors that are written alternately: a power cut leaves one of them intact.
///
/// ```
/// 0   checksum: CRC-32C over bytes 4…511
/// 4   format: 1, zeros
/// 8   number of writes
/// 16  place
/// ```
struct FleetCursorFile: ~Copyable {
  static let name = "cursor"
  private static let format: UInt32 = 1

  private var file: SectorFile
  private var writes: UInt64
  private(set) var place: FleetPlace
  /// Bytes written since the file was opened.
  private(set) var bytesWritten = 0

  /// Opens the file in a folder. `fallback`: the place if there is no intact sector.
  init(in folder: String, fallback: FleetPlace) throws(SystemError) {
    let stored = Self.read("\(folder)/\(Self.name)")
    let (place, writes) = (stored?.place ?? fallback, stored?.writes ?? 0)
    let sector = Self.sector(writes, place)
    self.init(try FleetSector.file(Self.name, in: folder, room: 2, [sector, sector]), writes, place)
  }

  private init(_ file: consuming SectorFile, _ writes: UInt64, _ place: FleetPlace) {
    self.file = file
    self.writes = writes
    self.place = place
  }

  /// Stores a place, which is on disk when this returns.
  mutating func save(_ place: FleetPlace) throws(SystemError) {
    writes += 1
    self.place = place
    try file.write(Self.sector(writes, place).span, at: Int(writes % 2) * FleetSector.size)
    bytesWritten += FleetSector.size
    try file.synchronize()
  }

  /// The newer of the intact sectors; `nil` if both are damaged or missing.
  static func read(_ path: String) -> (place: FleetPlace, writes: UInt64)? {
    guard let bytes = try? StateFile.read(path, maximumSize: 2 * FleetSector.size) else { return nil }
    return decode(bytes)
  }

  static func decode(_ bytes: [UInt8]) -> (place: FleetPlace, writes: UInt64)? {
    FleetSector.intact(in: bytes, format: format).compactMap { sector -> (place: FleetPlace, writes: UInt64)? in
      let place = sector.span.integer(at: 16, as: UInt64.self)
      guard place & FleetMessage.stateBit == 0 else { return nil }
      return (FleetPlace(rawValue: place), sector.span.integer(at: 8, as: UInt64.self))
    }.max { $0.writes < $1.writes }
  }

  private static func sector(_ writes: UInt64, _ place: FleetPlace) -> [UInt8] {
    var content: [UInt8] = []
    content.append(littleEndian: writes)
    content.append(littleEndian: place.rawValue)
    return FleetSector.sealed(format: format, content)
  }
}

/// Decoding of the cursor's file, for fuzzing.
package enum FleetCursorSectors {
  package static func place(_ bytes: [UInt8]) -> FleetPlace? { FleetCursorFile.decode(bytes)?.place }
}
