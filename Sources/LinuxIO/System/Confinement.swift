internal import CLinux
import Glibc

/// Gives up everything that a process does not need to read hostile input.
package enum Confinement {
  /// The user without files of its own (Debian Policy 9.2.2).
  package static let nobody: UInt32 = 65_534

  /// Whether this process is root's.
  package static var isRoot: Bool { geteuid() == 0 }

  /// What the process keeps: its open descriptors, and the files in its working directory. Root becomes another user, whose working
  /// directory is its root. As far as the kernel offers them, the process gets a network of its own, Landlock and a filter of
  /// system calls; without Landlock, other users' rights still apply.
  ///
  /// - Parameters:
  ///   - user: whom root becomes; it must own the working directory.
  ///   - largestFile: of files that the process writes, bytes.
  ///   - mostMemory: of anonymous memory, bytes.
  package static func enter(user: UInt32, largestFile: Int, mostMemory: Int) throws(SystemError) {
    _ = clinux_separate_network()
    // SQLite's temporary files: the folder that `TMPDIR` names is out of reach.
    _ = unsafe setenv("SQLITE_TMPDIR", ".", 1)
    if geteuid() == 0 { try SystemCall.run("chroot") { clinux_confine_root(user) } }
    try SystemCall.run("prctl") { clinux_no_new_privileges() }
    let limits: [(Int, Int)] = [
      (Int(RLIMIT_CORE.rawValue), 0), (Int(RLIMIT_FSIZE.rawValue), largestFile),
      (Int(RLIMIT_DATA.rawValue), mostMemory),
    ]
    for (resource, limit) in limits {
      var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      _ = unsafe setrlimit(__rlimit_resource_t(UInt32(resource)), &value)
    }
    if let folder = try? OwnedDescriptor(
      rawValue: SystemCall.run("open") { unsafe open(".", O_PATH | O_DIRECTORY | O_CLOEXEC) })
    {
      _ = clinux_confine_files(folder.rawValue)
    }
    _ = clinux_confine_calls()
  }

  /// The lowest priority for the processor and the disk.
  package static func beIdle() {
    _ = nice(19)
    _ = clinux_idle_disk()
  }

  /// Kills this process when the one that started it exits.
  package static func dieWithParent() { _ = clinux_die_with_parent(SIGKILL) }
}

/// A file without a name, which disappears with its descriptor.
package struct NamelessFile: ~Copyable {
  private let owned: OwnedDescriptor

  package var descriptor: Int32 { owned.rawValue }

  /// Creates the file in the working directory.
  package init() throws(SystemError) {
    do throws(SystemError) {
      owned = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe clinux_open_nameless(".") })
    } catch {
      // The file system has no O_TMPFILE.
      let name = ".locations"
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      owned = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(name, flags, 0o600) })
      _ = unsafe unlink(name)
    }
  }
}

/// The descriptor that a process got as its standard input, under a number that nothing else uses.
package enum PassedInput {
  package static func take() throws(SystemError) -> Int32 {
    try SystemCall.run("dup") { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10) }
  }
}
