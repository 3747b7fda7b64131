import Geodesy
import LinuxIO
import NetworkSources

/// Stores what an NTRIP client remembers, a file for each caster, so that a service that is restarted again and again is not banned.
struct CorrectionMemory {
  private static let folder = "ntrip"
  /// More casters than anybody uses; beyond that the oldest is deleted.
  private static let mostFiles = 16

  private let path: String?
  /// Distinguishes configurations, and reveals nothing of a password: 16 bits.
  private let mark: UInt16

  /// - Parameters:
  ///   - stateFolder: `nil`: nothing is stored.
  ///   - configuration: the caster's file as read.
  init(stateFolder: String?, name: String, configuration: [UInt8]) {
    path = stateFolder.map { "\($0)/\(Self.folder)/\(name)" }
    // FNV-1a (Fowler, Noll, Vo), folded.
    let sum = configuration.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    mark = UInt16(truncatingIfNeeded: sum ^ sum >> 16)
  }

  /// The memory, the time since it was stored, and whether the configuration is the same; `nil`: there is none.
  func load(now: GNSSTime?) -> (memory: NTRIPMemory, elapsed: Duration, isSame: Bool)? {
    guard let path, let bytes = try? StateFile.read(path, maximumSize: NTRIPMemory.longestText + 64) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ")
    guard parts.count == 2, words.count == 2, let storedAt = Int64(words[0]), let stored = UInt16(words[1]),
      let memory = NTRIPMemory(String(parts[1]))
    else { return nil }
    // Without a clock, or after it was set back, no time has passed.
    let elapsed = now.map { max(.zero, $0 - GNSSTime(nanosecondsSince1970: storedAt)) } ?? .zero
    return (memory, elapsed, stored == mark)
  }

  func store(_ memory: NTRIPMemory, now: GNSSTime?) {
    guard let path else { return }
    let text = "\(now?.nanosecondsSince1970 ?? 0) \(mark)\n\(memory.text)"
    try? StateFile.write(path, Array(text.utf8), waitsForDisk: false)
    StateFile.prune(around: path, keeping: Self.mostFiles)
  }
}
