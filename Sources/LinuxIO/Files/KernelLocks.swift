internal import CLinux
import Glibc

/// The locks that the kernel lists (/proc/locks, proc_locks(5)).
enum KernelLocks {
  /// The kernel's list is not read beyond this many bytes.
  private static let maximumListSize = 1 << 20

  /// The process that holds a flock(2) lock on the file with this status; `nil` where the kernel does not tell.
  static func holder(of status: stat) -> Int32? {
    guard let list = try? StateFile.read("/proc/locks", maximumSize: maximumListSize) else { return nil }
    // "1: FLOCK  ADVISORY  WRITE 1234 08:01:131073 0 EOF"
    let device = UInt64(status.st_dev)
    for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", let process = Int32(words[4]), process > 0 else { continue }
      let file = words[5].split(separator: ":")
      guard file.count == 3, UInt32(file[0], radix: 16) == clinux_major(device),
        UInt32(file[1], radix: 16) == clinux_minor(device), UInt64(file[2]) == UInt64(status.st_ino)
      else { continue }
      return process
    }
    return nil
  }
}
