import Glibc
import LinuxIO
import Testing

// Serialized, because one test changes the umask of the whole process.
@Suite(.serialized) struct PortLockTests {
  /// Whether the device was free; releases it immediately.
  private func isFree(_ device: String, _ folder: String) throws -> Bool {
    switch try PortLock.acquire(device: device, directories: [folder]) {
    case .acquired: true
    case .held: false
    }
  }

  private func acquire(_ device: String, _ directories: [String]) throws -> PortLock? {
    switch try PortLock.acquire(device: device, directories: directories) {
    case .acquired(let lock): lock
    case .held: nil
    }
  }

  @Test func excludesAndNamesTheHolder() throws {
    let folder = try TemporaryFolder()
    do {
      guard let lock = try acquire("/dev/null", [folder.path]) else {
        Issue.record("not free")
        return
      }
      let path = lock.path
      #expect(path == folder.path + "/locationd-char-1-3.lock")
      let other = folder.path + "/receiver"
      #expect(unsafe symlink("/dev/null", other) == 0)
      for name in ["/dev/../dev/null", other] {
        switch try PortLock.acquire(device: name, directories: [folder.path]) {
        case .acquired: Issue.record("acquired twice")
        case .held(let pid, _): #expect(pid == getpid())
        }
      }
      #expect(try isFree("/dev/zero", folder.path))
    }
    #expect(try isFree("/dev/null", folder.path))
  }

  @Test func goesToTheFirstUsableFolder() throws {
    let folder = try TemporaryFolder()
    // A link with the file's name is not followed, and a FIFO with that name is not waited for.
    for name in ["link", "fifo"] { #expect(unsafe mkdir(folder.path + "/" + name, 0o700) == 0) }
    #expect(unsafe symlink("/etc/passwd", folder.path + "/link/locationd-char-1-3.lock") == 0)
    #expect(unsafe mkfifo(folder.path + "/fifo/locationd-char-1-3.lock", 0o600) == 0)
    let lock = try acquire(
      "/dev/null", ["/proc/nowhere", "/dev/null", folder.path + "/link", folder.path + "/fifo", folder.path])
    let path = lock?.path
    #expect(path == folder.path + "/locationd-char-1-3.lock")
    #expect(throws: SystemError(operation: "create lock file", errno: ENOENT)) {
      _ = try acquire("/dev/null", ["/proc/nowhere"])
    }
    #expect(throws: SystemError.self) { _ = try acquire("/dev/null", []) }
  }

  @Test func canBeLockedByEveryone() throws {
    let folder = try TemporaryFolder()
    let previous = umask(0o077)
    let lock = try acquire("/dev/null", [folder.path])
    umask(previous)
    var status = stat()
    #expect(unsafe stat(lock?.path ?? "", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666)
  }

  /// Creates a device that group 20 may open, in a folder in which everybody may create files.
  ///
  /// - Parameter number: the minor number of a memory device.
  private func shareDevice(_ number: UInt32, _ folder: borrowing TemporaryFolder) throws
    -> (device: String, lockFile: String)
  {
    #expect(unsafe chmod(folder.path, 0o1777) == 0)
    let device = folder.path + "/device"
    try #require(unsafe mknod(device, S_IFCHR | 0o660, dev_t(1 << 8 | number)) == 0)
    #expect(unsafe chown(device, 0, 20) == 0)
    return (device, folder.path + "/locationd-char-1-\(number).lock")
  }

  /// A lock file that another user has created and locked.
  private func held(_ path: String, owner: uid_t, group: gid_t, mode: mode_t) throws -> OwnedDescriptor {
    let file = OwnedDescriptor(rawValue: unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    #expect(fchown(file.rawValue, owner, group) == 0 && fchmod(file.rawValue, mode) == 0)
    _ = unsafe write(file.rawValue, "1\n", 2)
    #expect(flock(file.rawValue, LOCK_EX | LOCK_NB) == 0)
    return file
  }

  /// The file was created beforehand, open to all or only to its creator: a user who cannot open the device cannot lock
  /// others out.
  @Test(
    .enabled(if: geteuid() == 0, "making devices, and files of others, needs root"),
    arguments: [
      (47_002, 47_002, 0o666), (47_002, 47_002, 0o600), (47_002, 47_002, 0o660), (0, 0, 0o666), (47_002, 20, 0o666),
    ])
  func aLockFileThatOthersCanLockIsReplaced(owner: uid_t, group: gid_t, mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let (device, lockFile) = try shareDevice(5, folder)
    let stranger = try held(lockFile, owner: owner, group: group, mode: mode)
    guard let lock = try acquire(device, [folder.path]) else {
      Issue.record("the port was not locked")
      return
    }
    let path = lock.path
    #expect(path == lockFile)
    var status = stat()
    #expect(unsafe stat(lockFile, &status) == 0)
    #expect(status.st_uid == geteuid() && status.st_gid == 20 && status.st_mode & 0o777 == 0o660)
    #expect(try !isFree(device, folder.path))
    withExtendedLifetime(stranger) {}
    withExtendedLifetime(lock) {}
  }

  /// Only a member of the device's group, or root, can have given the file to that group.
  @Test(
    .enabled(if: geteuid() == 0, "making devices, and files of others, needs root"),
    arguments: [(47_002, 20, 0o660), (0, 0, 0o600)])
  func aFileOfTheEntitledHolds(owner: uid_t, group: gid_t, mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let (device, lockFile) = try shareDevice(7, folder)
    let holder = try held(lockFile, owner: owner, group: group, mode: mode)
    switch try PortLock.acquire(device: device, directories: [folder.path]) {
    case .acquired: Issue.record("acquired twice")
    // The file contains "1"; the process number comes from the kernel instead.
    case .held(let pid, _): #expect(pid == getpid())
    }
    withExtendedLifetime(holder) {}
  }

  @Test func writesToNoFileWithASecondName() throws {
    let folder = try TemporaryFolder()
    let precious = folder.path + "/precious"
    try StateFile.write(precious, [1, 2, 3])
    #expect(unsafe link(precious, folder.path + "/locationd-char-1-3.lock") == 0)
    #expect(try isFree("/dev/null", folder.path))
    #expect(try StateFile.read(precious, maximumSize: 10) == [1, 2, 3])
  }

  @Test func givesHostileNamesASafeFile() throws {
    let folder = try TemporaryFolder()
    let lock = try acquire("../a b\n%é/" + String(repeating: "*", count: 10_000), [folder.path])
    let path = lock?.path ?? ""
    let name = path.dropFirst(folder.path.count + 1)
    #expect(name.utf8.count < 255)
    #expect(!name.contains("/") && name.allSatisfy { $0.isASCII && !$0.isWhitespace })
  }

  /// Another process holds the lock, reports that through a FIFO, and ends when another FIFO tells it to, or when it is killed.
  @Test(.enabled(if: unsafe access("/usr/bin/perl", X_OK) == 0, "needs perl"), arguments: [false, true])
  func wakesTheWaiterWhenTheHolderEnds(killed: Bool) throws {
    let folder = try TemporaryFolder()
    let lockFile = folder.path + "/locationd-char-1-3.lock"
    let (ready, go) = (folder.path + "/ready", folder.path + "/go")
    #expect(unsafe mkfifo(ready, 0o600) == 0)
    #expect(unsafe mkfifo(go, 0o600) == 0)
    let script = """
      use Fcntl ":flock";
      my ($lock, $ready, $go) = @ARGV;
      open(my $file, ">", $lock); flock($file, LOCK_EX); syswrite($file, "$$\n");
      open(my $told, ">", $ready); close($told);
      open(my $end, "<", $go); <$end>;
      """
    let holder = try Child(["/usr/bin/perl", "-e", script, lockFile, ready, go])
    // This returns when the holder has the lock.
    _ = OwnedDescriptor(rawValue: unsafe open(ready, O_RDONLY | O_CLOEXEC))

    let loop = try EventLoop()
    let contender = try Contender(device: "/dev/null", folder: folder.path, loop: loop)
    #expect(contender.holder == holder.pid)
    loop.schedule(at: loop.now) {
      if killed {
        holder.kill(SIGKILL)
      } else {
        // The holder's read ends when this closes.
        _ = OwnedDescriptor(rawValue: unsafe open(go, O_WRONLY | O_CLOEXEC))
      }
    }
    try loop.runGuarded()
    #expect(contender.isHolding)
    // The test's timer, and at most the close, the exit, and one more wake-up for each: the loop does not poll.
    #expect(loop.wakeups <= 6)
    holder.wait()
    #expect(try !isFree("/dev/null", folder.path))
  }

  @Test func handsOverFromWaiterToWaiter() throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop()
    var lock = try acquire("/dev/null", [folder.path])
    let first = try Contender(device: "/dev/null", folder: folder.path, loop: loop)
    let second = try Contender(device: "/dev/null", folder: folder.path, loop: loop)
    loop.schedule(at: loop.now) { lock = nil }
    try loop.runGuarded()
    #expect(first.isHolding != second.isHolding)
    let (winner, loser) = first.isHolding ? (first, second) : (second, first)
    loop.schedule(at: loop.now) { winner.release() }
    try loop.runGuarded()
    #expect(loser.isHolding)
    let isGone = lock == nil
    #expect(isGone)
  }
}

/// Waits for a device on a loop, and stops the loop when it has the lock.
private final class Contender {
  private(set) var holder: Int32?
  private var lock: PortLock?
  private var waiter: PortLockWaiter?
  private let loop: EventLoop
  private var watch: WatchID?

  var isHolding: Bool { lock != nil }

  init(device: String, folder: String, loop: EventLoop) throws {
    self.loop = loop
    try receive(try PortLock.acquire(device: device, directories: [folder]))
  }

  func release() { lock = nil }

  private func retry() {
    if let watch { loop.unwatch(watch) }
    guard let waiter = waiter.take() else { return }
    do { try receive(try waiter.retry()) } catch { Issue.record(error) }
  }

  private func receive(_ result: consuming PortLockResult) throws {
    switch consume result {
    case .acquired(let lock):
      self.lock = consume lock
      loop.stop()
    case .held(let pid, let waiter):
      holder = pid
      watch = try loop.watch(waiter.descriptor) { [unowned self] _ in retry() }
      self.waiter = consume waiter
    }
  }
}
