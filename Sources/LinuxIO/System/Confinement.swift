internal import CLinux
import Glibc

/// Gives up everything that a process does not need to read hostile input.
package enum Confinement {
  /// The user without files of its own (Debian Policy 9.2.2).
  package static let nobody: UInt32 = 65_534

  /// Whether this process is root's.
  package static var isRoot: Bool { geteuid() == 0 }

  /// What a confined process can still do, because the kernel lacks the means to prevent it.
  package struct Gaps: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It can open the files of its user: there is no Landlock.
    package static let files = Gaps(rawValue: 1)
    /// It can shorten the files of its user, but not open them: Landlock is older than Linux 6.2, and there is no filter of system calls.
    package static let truncation = Gaps(rawValue: 2)
    /// It can use the network: there is neither a network of its own nor a filter of system calls.
    package static let network = Gaps(rawValue: 4)
    /// It can start programs, and affect other processes of its user: there is no filter of system calls.
    package static let processes = Gaps(rawValue: 8)
  }

  /// What the process keeps: its open descriptors, and the files in its working directory. Root becomes another user, whose working
  /// directory is its root. As far as the kernel offers them, the process gets a network of its own, Landlock and a filter of
  /// system calls; without Landlock, other users' rights still apply. Returns what the kernel does not prevent.
  ///
  /// - Parameters:
  ///   - user: whom root becomes; it must own the working directory.
  ///   - largestFile: of files that the process writes, bytes.
  ///   - mostMemory: of anonymous memory, bytes.
  ///   - writes: whether it may change the files in its working directory.
  package static func enter(
    user: UInt32, largestFile: Int, mostMemory: Int, writes: Bool = true
  ) throws(SystemError) -> Gaps {
    let parent = getppid()
    let hasOwnNetwork = clinux_separate_network() == 0
    // SQLite's temporary files: the folder that `TMPDIR` names is out of reach.
    _ = unsafe setenv("SQLITE_TMPDIR", ".", 1)
    let wasRoot = geteuid() == 0
    if wasRoot { try SystemCall.run("chroot") { clinux_confine_root(user) } }
    try SystemCall.run("prctl") { clinux_no_new_privileges() }
    try SystemCall.run("capset") { clinux_drop_capabilities() }
    // A change of the user clears the signal that the end of the parent causes (prctl(2), PR_SET_PDEATHSIG).
    dieWithParent()
    guard getppid() == parent else { throw SystemError(operation: "getppid", errno: ESRCH) }
    let limits: [(Int, Int)] = [
      (Int(RLIMIT_CORE.rawValue), 0), (Int(RLIMIT_FSIZE.rawValue), largestFile),
      (Int(RLIMIT_DATA.rawValue), mostMemory),
    ]
    for (resource, limit) in limits {
      var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      _ = unsafe setrlimit(__rlimit_resource_t(UInt32(resource)), &value)
    }
    let folder = OwnedDescriptor(
      rawValue: try SystemCall.run("open") { unsafe open(".", O_PATH | O_DIRECTORY | O_CLOEXEC) })
    let landlock = clinux_confine_files(folder.rawValue, writes ? 1 : 0)
    let hasFilter = clinux_confine_calls() == 0
    var gaps: Gaps = []
    // Other files are out of reach of what was root: its working directory is its root.
    if !wasRoot, landlock < 1 { gaps.insert(.files) }
    if !wasRoot, (1..<3).contains(landlock), !hasFilter { gaps.insert(.truncation) }
    if !hasFilter { gaps.insert(.processes) }
    if !hasFilter, !hasOwnNetwork { gaps.insert(.network) }
    return gaps
  }

  /// The lowest priority for the processor and the disk.
  package static func beIdle() {
    _ = nice(19)
    _ = clinux_idle_disk()
  }

  /// Kills this process when the one that started it exits.
  package static func dieWithParent() { _ = clinux_die_with_parent(SIGKILL) }
}

/// The descriptor that a process got as its standard input, under a number that nothing else uses.
package enum PassedInput {
  package static func take() throws(SystemError) -> Int32 {
    try SystemCall.run("dup") { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10) }
  }
}
