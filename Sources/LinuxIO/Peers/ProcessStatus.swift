/// What `/proc/PID/status` says that counts here (proc_pid_status(5)).
package struct ProcessStatus: Hashable, Sendable {
  /// The user that it acts as: the second number of `Uid`, as SO_PEERCRED's is.
  package let userID: UInt32
  /// How many numbers it has, one in each namespace of processes that it is in, from ours on (`NSpid`; 1 where the kernel has no
  /// such namespaces).
  package let numbers: Int

  /// `nil`: it is none. The name in it cannot feign a line: the kernel escapes its line ends.
  package init?(_ bytes: [UInt8]) {
    var userID: UInt32?
    var numbers: Int?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: "Uid:".utf8) || line.starts(with: "NSpid:".utf8) else { continue }
      let words = line.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
      if words[0].elementsEqual("Uid:".utf8) {
        guard words.count == 5 else { return nil }
        userID = userID ?? UInt32(String(decoding: words[2], as: UTF8.self))
      } else {
        numbers = numbers ?? (words.count - 1)
      }
    }
    guard let userID else { return nil }
    self.userID = userID
    self.numbers = max(numbers ?? 1, 1)
  }
}
