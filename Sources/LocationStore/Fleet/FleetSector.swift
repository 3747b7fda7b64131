import LinuxIO
import WireFormats

/// The sectors of an outbox's own files: each begins with a checksum (CRC-32C over bytes 4…511) and a format, and is written as a
/// whole, so that a power cut damages no other one.
enum FleetSector {
  static let size = SectorFile.sectorSize

  /// A sector with this content, and zeros after it.
  static func sealed(format: UInt32, _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: format)
    bytes += content
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
    bytes.replace(at: 0, littleEndian: checksum(bytes.span))
    return bytes
  }

  /// The sectors of this format in a file's bytes that are intact, in order.
  static func intact(in bytes: [UInt8], format: UInt32) -> [[UInt8]] {
    stride(from: 0, through: bytes.count - size, by: size).compactMap { start in
      let sector = Array(bytes[start..<start + size])
      let span = sector.span
      let isIntact =
        span.integer(at: 0, as: UInt32.self) == checksum(span) && span.integer(at: 4, as: UInt32.self) == format
      return isIntact ? sector : nil
    }
  }

  /// Makes a file in place of the one with this name, with room for `room` sectors, so that they are allocated and can be overwritten
  /// directly. It is on disk when this returns.
  static func file(
    _ name: String, in folder: String, room: Int, _ sectors: [[UInt8]]
  ) throws(SystemError) -> SectorFile {
    let path = "\(folder)/\(name)"
    try FileChange.remove(path + ".new")
    var file = try SectorFile(making: path + ".new")
    try file.extend(to: room * size)
    for (index, sector) in sectors.enumerated() { try file.write(sector.span, at: index * size) }
    try file.synchronize()
    try FileChange.rename(path + ".new", to: path)
    try PrivateFolder.synchronize(folder)
    return file
  }

  private static func checksum(_ sector: Span<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(sector.extracting(4..<size))
    return checksum.value
  }
}
