import LinuxIO
import Testing

/// Everything in a process' memory except for unchanged content of files: what root, or another process of the same user, can
/// read.
struct ProcessMemory {
  /// Each region is contiguous.
  private(set) var regions: [[UInt8]] = []

  private static let page = 4096

  init(of process: Int32) throws {
    let memory = try InputFile(path: "/proc/\(process)/mem")
    let maps = try Self.whole("/proc/\(process)/maps")
    // Check that it was read to its end: the stack comes after all other memory of the process.
    try #require(maps.contains("[stack]"))
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ")
      let ends = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      let name = fields.count > 5 ? String(fields[5]) : ""
      // A mapped file that is not writable is not the process' own memory; the kernel's own pages cannot be read.
      guard ends.count == 2, fields[1].contains("w") || !name.hasPrefix("/"), !name.hasPrefix("[v") else { continue }
      let bytes = try Self.read(memory, at: ends[0], ends[1] - ends[0])
      var original: [UInt8] = []
      if name.hasPrefix("/"), let file = try? InputFile(path: name), let offset = Int(fields[2], radix: 16) {
        original = try Self.read(file, at: offset, bytes.count)
      }
      add(bytes, without: original)
    }
  }

  /// Omits the pages that are equal to those in their file, because nothing was written to them.
  private mutating func add(_ bytes: [UInt8], without original: [UInt8]) {
    var region: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: Self.page) {
      let page = bytes[start..<min(start + Self.page, bytes.count)]
      if start + page.count <= original.count, original[start..<start + page.count] == page {
        if !region.isEmpty { regions.append(region) }
        region = []
      } else {
        region += page
      }
    }
    if !region.isEmpty { regions.append(region) }
  }

  /// Up to `count` bytes, and fewer at the end of the file.
  private static func read(_ file: borrowing InputFile, at offset: Int, _ count: Int) throws -> [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: min(count, 1 << 20)))
    while bytes.count < count {
      let read = try file.read(into: &buffer, at: offset + bytes.count)
      if read == 0 { break }
      bytes += buffer[..<min(read, count - bytes.count)]
    }
    return bytes
  }

  /// Reads a file of the kernel, whose length is not known in advance.
  private static func whole(_ path: String) throws -> String {
    let file = try InputFile(path: path)
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = try file.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
