package import Fleet
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
  private static let size = SectorFile.sectorSize
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
    self.init(try Self.make(in: folder, writes, place), writes, place)
  }

  private init(_ file: consuming SectorFile, _ writes: UInt64, _ place: FleetPlace) {
    self.file = file
    self.writes = writes
    self.place = place
  }

  /// A new file takes the place of the old one, so that its sectors are allocated and can be overwritten directly.
  private static func make(
    in folder: String, _ writes: UInt64, _ place: FleetPlace
  ) throws(SystemError) -> SectorFile {
    let path = "\(folder)/\(name)"
    try FileChange.remove(path + ".new")
    var file = try SectorFile(making: path + ".new")
    try file.extend(to: 2 * size)
    let sector = sector(writes, place)
    try file.write((sector + sector).span, at: 0)
    try file.synchronize()
    try FileChange.rename(path + ".new", to: path)
    try PrivateFolder.synchronize(folder)
    return file
  }

  /// Stores a place, which is on disk when this returns.
  mutating func save(_ place: FleetPlace) throws(SystemError) {
    writes += 1
    self.place = place
    try file.write(Self.sector(writes, place).span, at: Int(writes % 2) * Self.size)
    bytesWritten += Self.size
    try file.synchronize()
  }

  /// The newer of the intact sectors; `nil` if there is none.
  static func read(_ path: String) -> (place: FleetPlace, writes: UInt64)? {
    guard let bytes = try? StateFile.read(path, maximumSize: 2 * size) else { return nil }
    return decode(bytes)
  }

  fileprivate static func decode(_ bytes: [UInt8]) -> (place: FleetPlace, writes: UInt64)? {
    stride(from: 0, through: bytes.count - size, by: size).compactMap { start -> (place: FleetPlace, writes: UInt64)? in
      let sector = Array(bytes[start..<start + size])
      let span = sector.span
      guard span.integer(at: 0, as: UInt32.self) == checksum(span), span.integer(at: 4, as: UInt32.self) == format else {
        return nil
      }
      let place = span.integer(at: 16, as: UInt64.self)
      guard place & FleetMessage.stateBit == 0 else { return nil }
      return (FleetPlace(rawValue: place), span.integer(at: 8, as: UInt64.self))
    }.max { $0.writes < $1.writes }
  }

  private static func sector(_ writes: UInt64, _ place: FleetPlace) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: format)
    bytes.append(littleEndian: writes)
    bytes.append(littleEndian: place.rawValue)
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
    bytes.replace(at: 0, littleEndian: checksum(bytes.span))
    return bytes
  }

  private static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes.extracting(4..<size))
    return checksum.value
  }
}

/// Decoding of the cursor's file, for fuzzing.
package enum FleetCursorSectors {
  package static func place(_ bytes: [UInt8]) -> FleetPlace? { FleetCursorFile.decodePlace(bytes) }
}

extension FleetCursorFile {
  fileprivate static func decodePlace(_ bytes: [UInt8]) -> FleetPlace? { decode(bytes)?.place }
}
