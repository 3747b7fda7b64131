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
    processes = tree.names(in: "/proc").lazy
      .compactMap { Int32($0) }
      .prefix(Self.maximumProcesses)
      .compactMap { pid in
        guard let bytes = tree.bytes(of: "/proc/\(pid)/comm", limit: 64), let name = DeviceText.sanitized(bytes)
        else { return nil }
        return Entry(pid: pid, name: name)
      }
  }
}
