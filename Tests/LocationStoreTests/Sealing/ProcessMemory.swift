import Foundation

/// All that a process could write to its memory, as it is now: what another process of the same user, or root, can see.
struct ProcessMemory {
  /// Each without a gap.
  private(set) var regions: [[UInt8]] = []

  init(of process: Int32) throws {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/mem"))
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      // What is of a file and was never written to is no secret of this process; the kernel's own pages cannot be read.
      let isOfFile = fields.count > 5 && fields[5].hasPrefix("/")
      guard ends.count == 2, fields[1].contains("w") || !isOfFile, fields.last != "[vvar]" else { continue }
      try memory.seek(toOffset: ends[0])
      // Guard pages and the like cannot be read either.
      if let bytes = try? memory.read(upToCount: Int(ends[1] - ends[0])), !bytes.isEmpty { regions.append([UInt8](bytes)) }
    }
  }
}
