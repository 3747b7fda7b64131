package import Geodesy
import Glibc

/// The fields of `/proc/PID/stat` that are used (proc_pid_stat(5)).
package struct ProcessRecord: Hashable, Sendable {
  /// Field 22, the start time in ticks since boot (the clock of `MonotonicClock`), rounded down.
  package let startTicks: Int64
  /// Field 7 is not 0.
  package let hasTerminal: Bool

  private static let ticksPerSecond = Int64(max(sysconf(Int32(_SC_CLK_TCK)), 1))

  /// When the process started; at most one tick (10 ms) too early.
  package var startedAt: Instant { Self.instant(ofTicks: startTicks) }

  static func instant(ofTicks ticks: Int64) -> Instant {
    let (nanoseconds, overflow) = ticks.multipliedReportingOverflow(by: 1_000_000_000 / Self.ticksPerSecond)
    return Instant(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// The record of a process that exists now, and that has this effective user.
  package static func read(_ process: Int32, of userID: UInt32) throws(PeerError) -> ProcessRecord {
    let folder = try ProcessFolder(of: process, in: SystemFolders.systemProcesses)
    let (status, record) = (try folder.status(), try folder.record())
    guard status.userID == userID else { throw .userChanged(connected: userID, now: status.userID) }
    return record
  }

  /// `nil`: not a valid record. A process's name can contain `)`, blanks and line feeds; no field after it contains a `)`.
  package init?(_ bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    // The first of these fields is field 3; the presence of a field after field 22 proves that field 22 is complete.
    guard fields.count >= 21, let terminal = Int32(String(decoding: fields[4], as: UTF8.self)),
      let start = Int64(String(decoding: fields[19], as: UTF8.self)), start >= 0
    else { return nil }
    startTicks = start
    hasTerminal = terminal != 0
  }
}

/// The fields of `/proc/PID/status` that are used (proc_pid_status(5)).
package struct ProcessStatus: Hashable, Sendable {
  /// The effective user ID: the second number of `Uid`, the same as SO_PEERCRED's.
  package let userID: UInt32
  /// The number of its process IDs, one for each PID namespace that it is in, beginning with the namespace of this
  /// process (`NSpid`); 1 if the kernel has no PID namespaces.
  package let numbers: Int

  /// `nil`: not a valid record. The name in it cannot forge a line, because the kernel escapes its line feeds.
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

/// The folder of one process in `/proc`. The open folder remains that of the process even if its ID is reused, and is
/// empty after the process has exited.
struct ProcessFolder: ~Copyable {
  /// Bytes. The longest files are `status`, with 65,536 groups, and `cgroup`, with a path of 4,096 bytes in each of about
  /// twelve hierarchies.
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

  /// The mapping of the process's user IDs to this system's (user_namespaces(7)); `nil` if the kernel has no user
  /// namespaces.
  func userMap() throws(PeerError) -> [UInt8]? { try content("uid_map") }

  /// The mapping of this process. That of the system's own folder is read once, and not for each client: the mapping of a namespace never
  /// changes, and this process stays in its namespace.
  static func ownUserMap(in processes: String) throws(PeerError) -> [UInt8]? {
    if processes == SystemFolders.systemProcesses, let ownMap { return ownMap }
    return try readOwnUserMap(in: processes)
  }

  /// `nil`: it could not be read.
  private static let ownMap = try? readOwnUserMap(in: SystemFolders.systemProcesses)

  private static func readOwnUserMap(in processes: String) throws(PeerError) -> [UInt8]? {
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

/// What the kernel reports about the process that connected, read at one time.
package struct PeerProcess: Hashable, Sendable {
  /// Process, user and group IDs when it connected.
  package var credentials: PeerCredentials
  /// Its supplementary groups when it connected.
  package var groups: [UInt32]
  package var controlGroup: ControlGroup
  /// Whether it has its own PID or user namespace (pid_namespaces(7), user_namespaces(7)).
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
