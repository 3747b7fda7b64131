/// The processes that /proc shows, with their short names.
struct ProcessList {
  struct Entry: Hashable, Sendable {
    var pid: Int32
    /// `comm`: at most 15 bytes (proc(5)), sanitized: a process chooses its own.
    var name: String
  }

  static let maximumProcesses = 4096

  let processes: [Entry]

  init(tree: FileTree) {
    processes = Self.identifiers(in: tree).compactMap { pid in
      Self.name(of: pid, in: tree).map { Entry(pid: pid, name: $0) }
    }
  }

  /// Whether a process is the daemon of this software, as far as its name tells.
  static func isDaemon(_ name: String?) -> Bool { name == "locationd" }

  static func identifiers(in tree: FileTree) -> [Int32] {
    Array(tree.names(in: "/proc").lazy.compactMap { Int32($0) }.prefix(maximumProcesses))
  }

  static func name(of pid: Int32, in tree: FileTree) -> String? {
    tree.bytes(of: "/proc/\(pid)/comm", limit: 64).flatMap { DeviceText.sanitized($0) }
  }
}
