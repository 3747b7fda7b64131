internal import CLinux
import Glibc

/// The file that carries a port's lock. It is not removed when the lock ends, because a waiting process could then hold
/// the lock of a file that no longer has a name.
struct LockFile: ~Copyable {
  let path: String
  private let owned: OwnedDescriptor

  var descriptor: Int32 { owned.rawValue }

  /// Opens or creates a file with access for this user only.
  init(path: String) throws(SystemError) {
    let owned = OwnedDescriptor(rawValue: try Self.open(path) { _ in })
    let status = try FileStatus.of(owned.rawValue)
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(operation: "open lock file", errno: EINVAL) }
    self.path = path
    self.owned = owned
  }

  /// Opens or creates a file for the users who may open a device. If other users could lock an existing file, it is
  /// replaced if this user may remove it; otherwise that is an error (`EPERM`). No unauthorized user can block the
  /// device.
  init(path: String, for device: DeviceAccess) throws(SystemError) {
    let owned = try Self.opened(path, for: device)
    self.path = path
    self.owned = owned
  }

  /// Opens or creates the lock file of a symbolic link, with access for this user only, in the first of `folders` where
  /// that is possible. The folder of the link must exist.
  init(forLink link: String, in folders: [String]) throws(SystemError) {
    let bytes = Array(link.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = try FileStatus.of(slash.map { $0 == 0 ? "/" : String(decoding: bytes[..<$0], as: UTF8.self) } ?? ".")
    let name = Self.safe(String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self))
    self = try Self.first(in: folders, "locationd-link-\(geteuid())-\(folder.st_dev)-\(folder.st_ino)-\(name).lock")
  }

  private static func first(in folders: [String], _ name: String) throws(SystemError) -> LockFile {
    var failure = SystemError(operation: "open lock file", errno: ENOENT)
    for folder in folders {
      do throws(SystemError) {
        return try LockFile(path: "\(folder)/\(name)", for: DeviceAccess.ofThisUser)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  // Not in the initializer: Swift 6.2.3, which compiles for arm64, crashes on a loop there.
  private static func opened(_ path: String, for device: DeviceAccess) throws(SystemError) -> OwnedDescriptor {
    // Limited, in case another process creates the file again each time.
    for _ in 0..<4 {
      let owned = OwnedDescriptor(rawValue: try open(path) { device.share($0) })
      let status = try FileStatus.of(owned.rawValue)
      if device.trusts(status) { return owned }
      guard status.st_mode & S_IFMT == S_IFREG, unsafe unlink(path) == 0 else { break }
    }
    throw SystemError(operation: "open lock file", errno: EPERM)
  }

  private static func open(_ path: String, _ share: (Int32) -> Void) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    // First without O_CREAT: in a folder like /tmp the kernel refuses O_CREAT for another user's file
    // (fs.protected_regular), which is the usual case here.
    if let fd = try existing(path, flags) { return fd }
    do throws(SystemError) {
      let fd = try SystemCall.run("create lock file") { unsafe Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600) }
      share(fd)
      return fd
    } catch {
      // Another process has created the file between the two calls.
      guard error.errno == EEXIST, let fd = try existing(path, flags) else { throw error }
      return fd
    }
  }

  private static func existing(_ path: String, _ flags: Int32) throws(SystemError) -> Int32? {
    do throws(SystemError) {
      return try SystemCall.run("open lock file") { unsafe Glibc.open(path, flags) }
    } catch {
      if error.errno == ENOENT { return nil }
      // The file's creator may not have shared the file yet, or may never share it. A lock needs no write permission.
      guard error.errno == EACCES, flags & O_ACCMODE == O_RDWR else { throw error }
      return try existing(path, flags & ~O_ACCMODE | O_RDONLY)
    }
  }

  /// Tries to take the lock; returns whether this process holds it now.
  func lock() throws(SystemError) -> Bool {
    do throws(SystemError) {
      try SystemCall.run("flock") { flock(owned.rawValue, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.errno == EWOULDBLOCK else { throw error }
      return false
    }
  }

  func unlock() { _ = flock(owned.rawValue, LOCK_UN) }

  /// Writes the holder into the file: this process's ID and a line feed.
  func writeProcess() { write("\(getpid())\n") }

  /// Replaces the content of the file.
  func write(_ text: String) {
    // A second hard link may be an attack: it could name another file of this user, which must not be overwritten.
    guard let status = try? FileStatus.of(owned.rawValue), status.st_nlink == 1 else { return }
    _ = ftruncate(owned.rawValue, 0)
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(owned.rawValue, $0.baseAddress, $0.count, 0) }
  }

  /// The process that holds the lock, as the kernel lists it; `nil` if the kernel does not list it.
  var holder: Int32? { (try? FileStatus.of(owned.rawValue)).flatMap { KernelLocks.holder(of: $0) } }

  /// The file's content, at most its first 64 bytes.
  func text() -> String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(owned.rawValue, $0.baseAddress, $0.count, 0) }
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }

  /// The process ID written in the file, for a kernel that does not list locks. It is an unverified hint, because every
  /// user who may open the device can write it; do not show it to users.
  func process() -> Int32? {
    let text = text()
    guard let end = text.firstIndex(of: "\n") else { return nil }
    return Int32(text[..<end]).flatMap { $0 > 0 ? $0 : nil }
  }

  /// One name for all paths of a device, made from its device number, so that links do not matter:
  /// "locationd-char-166-0.lock". The name for anything but a character device is made from its path.
  static func name(for device: String) -> String {
    var status = stat()
    if unsafe stat(device, &status) == 0, status.st_mode & S_IFMT == S_IFCHR {
      let number = UInt64(status.st_rdev)
      return "locationd-char-\(clinux_major(number))-\(clinux_minor(number)).lock"
    }
    return "locationd\(safe(device)).lock"
  }

  /// The end of a path, as part of a file name: with 60 bytes, each of which may become three, no lock file's name exceeds NAME_MAX (255),
  /// not even that of a link, which also contains a user ID, a device and an inode.
  private static func safe(_ path: String) -> String {
    path.utf8.suffix(60).map { byte in
      switch byte {
      case UInt8(ascii: "/"): "-"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."):
        String(UnicodeScalar(byte))
      default: "_" + String(byte, radix: 16)
      }
    }.joined()
  }
}

/// The exclusive right of one process to write in a folder; it ends when this value is destroyed, or with the process.
package struct FolderLock: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// Takes the lock; throws if another process holds it (`SystemError.isHeldByOther`).
  package init(_ path: String) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    let fd = descriptor.rawValue
    try SystemCall.run("flock") { flock(fd, LOCK_EX | LOCK_NB) }
    self.descriptor = descriptor
  }

  // Not left to the close: a forked child process has a copy of the descriptor until it calls exec.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }
}

/// The holder of a lock.
extension FolderLock {
  /// The process that holds the lock of a folder, as the kernel lists it; `nil` if it is not listed.
  package static func holder(of path: String) -> Int32? {
    (try? FileStatus.of(path)).flatMap { KernelLocks.holder(of: $0) }
  }
}

/// The locks that the kernel lists (/proc/locks, proc_locks(5)).
enum KernelLocks {
  /// Maximum number of bytes read from the kernel's list, so that reading it never takes long.
  private static let maximumListSize = 1 << 20

  /// The process that holds a flock(2) lock on the file with this status; `nil` if the kernel does not list it.
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
