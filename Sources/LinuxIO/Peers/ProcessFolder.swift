import Glibc

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
