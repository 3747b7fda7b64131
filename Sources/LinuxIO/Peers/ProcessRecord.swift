package import Geodesy
import Glibc

/// What `/proc/PID/stat` says that counts here (proc_pid_stat(5)).
package struct ProcessRecord: Hashable, Sendable {
  /// Field 22, in ticks since the machine started (the clock of `MonotonicClock`), cut off.
  package let startTicks: Int64
  /// Field 7 is not 0.
  package let hasTerminal: Bool

  private static let ticksPerSecond = Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))

  /// When it started, a tick (10 ms) early at most.
  package var startedAt: Instant {
    let (nanoseconds, overflow) = startTicks.multipliedReportingOverflow(by: 1_000_000_000 / Self.ticksPerSecond)
    return Instant(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// `nil`: it is none. A process may have any name, with `)`, blanks and line ends in it; nothing after it has a `)`.
  package init?(_ bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    // The first of these is field 3; one after field 22 says that that is whole.
    guard fields.count >= 21, let terminal = Int32(String(decoding: fields[4], as: UTF8.self)),
      let start = Int64(String(decoding: fields[19], as: UTF8.self)), start >= 0
    else { return nil }
    startTicks = start
    hasTerminal = terminal != 0
  }
}

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

/// The folder of one process in `/proc`. Opened once: it stays that process's when its number is given to another, and is empty
/// when it has gone.
struct ProcessFolder: ~Copyable {
  /// The longest are `status`, with 65,536 groups, and `cgroup`, with a path of 4,096 bytes in each of some twelve hierarchies.
  private static let maximumSize = 1 << 20

  private let folder: OwnedDescriptor

  init(of process: Int32, in processes: String) throws(PeerError) {
    let path = "\(processes)/\(process)"
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      folder = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    } catch {
      throw error.isAbsence ? .ended : .system(error)
    }
  }

  func record() throws(PeerError) -> ProcessRecord {
    guard let record = ProcessRecord(try read("stat")) else { throw .unreadable(file: "stat") }
    return record
  }

  func status() throws(PeerError) -> ProcessStatus {
    guard let status = ProcessStatus(try read("status")) else { throw .unreadable(file: "status") }
    return status
  }

  /// Which of its users is which of ours (user_namespaces(7)); `nil` where the kernel has no such namespaces.
  func userMap() throws(PeerError) -> [UInt8]? { try content("uid_map") }

  /// The same of this process.
  static func ownUserMap(in processes: String) throws(PeerError) -> [UInt8]? {
    do throws(SystemError) {
      return try StateFile.read("\(processes)/self/uid_map", maximumSize: maximumSize)
    } catch {
      throw .system(error)
    }
  }

  func read(_ file: String) throws(PeerError) -> [UInt8] {
    guard let bytes = try content(file) else { throw .ended }
    return bytes
  }

  private func content(_ file: String) throws(PeerError) -> [UInt8]? {
    do throws(SystemError) {
      return try StateFile.read(file, in: folder.rawValue, maximumSize: Self.maximumSize)
    } catch {
      throw error.errno == ESRCH ? .ended : .system(error)
    }
  }
}

/// What the kernel said of the process that connected, all of it at one time.
package struct PeerProcess: Hashable, Sendable {
  /// Process, user and group, as they were when it connected.
  package var credentials: PeerCredentials
  /// Its supplementary groups, as they were when it connected.
  package var groups: [UInt32]
  package var controlGroup: ControlGroup
  /// Whether it counts processes, or users, in a namespace of its own (pid_namespaces(7), user_namespaces(7)).
  package var hasOwnNamespaces: Bool
  /// Whether it has a controlling terminal.
  package var hasTerminal: Bool

  package init(
    _ credentials: PeerCredentials, groups: [UInt32] = [], controlGroup: ControlGroup = ControlGroup(),
    hasOwnNamespaces: Bool = false, hasTerminal: Bool = false
  ) {
    self.credentials = credentials
    self.groups = groups
    self.controlGroup = controlGroup
    self.hasOwnNamespaces = hasOwnNamespaces
    self.hasTerminal = hasTerminal
  }
}
