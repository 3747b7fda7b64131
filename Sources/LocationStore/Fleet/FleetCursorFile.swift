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
/// 24  when the server last acknowledged something: nanoseconds since 1970; 0: unknown
/// ```
struct FleetCursorFile: ~Copyable {
  static let name = "cursor"
  private static let format: UInt32 = 1

  private var file: SectorFile
  private var writes: UInt64
  private(set) var place: FleetPlace
  private(set) var acknowledgedAt: GNSSTime?
  /// Bytes written since the file was opened.
  private(set) var bytesWritten = 0

  /// Opens the file in a folder. `fallback`: the place if there is no intact sector.
  init(in folder: String, fallback: FleetPlace) throws(SystemError) {
    let stored = Self.read("\(folder)/\(Self.name)")
    let content = stored ?? Content(place: fallback, writes: 0, acknowledgedAt: nil)
    let sector = Self.sector(content)
    self.init(try FleetSector.file(Self.name, in: folder, room: 2, [sector, sector]), content)
  }

  private init(_ file: consuming SectorFile, _ content: Content) {
    self.file = file
    (writes, place, acknowledgedAt) = (content.writes, content.place, content.acknowledgedAt)
  }

  /// Stores a place and when the server last acknowledged something, which are on disk when this returns.
  mutating func save(_ place: FleetPlace, acknowledgedAt time: GNSSTime?) throws(SystemError) {
    writes += 1
    (self.place, acknowledgedAt) = (place, time)
    try file.write(
      Self.sector(Content(place: place, writes: writes, acknowledgedAt: time)).span,
      at: Int(writes % 2) * FleetSector.size)
    bytesWritten += FleetSector.size
    try file.synchronize()
  }

  struct Content {
    var place: FleetPlace
    var writes: UInt64
    var acknowledgedAt: GNSSTime?
  }

  /// The newer of the intact sectors; `nil` if both are damaged or missing.
  static func read(_ path: String) -> Content? {
    guard let bytes = try? StateFile.read(path, maximumSize: 2 * FleetSector.size) else { return nil }
    return decode(bytes)
  }

  static func decode(_ bytes: [UInt8]) -> Content? {
    FleetSector.intact(in: bytes, format: format).compactMap { sector -> Content? in
      let place = sector.span.integer(at: 16, as: UInt64.self)
      guard place & FleetMessage.stateBit == 0 else { return nil }
      let time = Int64(bitPattern: sector.span.integer(at: 24, as: UInt64.self))
      return Content(
        place: FleetPlace(rawValue: place), writes: sector.span.integer(at: 8, as: UInt64.self),
        acknowledgedAt: time == 0 ? nil : GNSSTime(nanosecondsSince1970: time))
    }.max { $0.writes < $1.writes }
  }

  private static func sector(_ content: Content) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: content.writes)
    bytes.append(littleEndian: content.place.rawValue)
    bytes.append(littleEndian: UInt64(bitPattern: content.acknowledgedAt?.nanosecondsSince1970 ?? 0))
    return FleetSector.sealed(format: format, bytes)
  }
}

/// Decoding of the cursor's file, for fuzzing.
package enum FleetCursorSectors {
  package static func place(_ bytes: [UInt8]) -> FleetPlace? { FleetCursorFile.decode(bytes)?.place }
}
