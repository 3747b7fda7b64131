import Glibc
import LinuxIO
import Testing

@Suite struct SerialPortOpeningTests {
  private func failure(_ path: String) -> SerialPortError? {
    do throws(SerialPortError) {
      _ = try SerialPort.open(path: path, baud: 9600)
      return nil
    } catch {
      return error
    }
  }

  @Test func reportsWhatAPathIsInstead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    #expect(failure(path) == .isDirectory)
    #expect(failure(path + "/none") == .doesNotExist)
    #expect(failure("") == .doesNotExist)
    try StateFile.write(path + "/file", [1])
    #expect(failure(path + "/file") == .isRegularFile)
    #expect(failure(path + "/file/below") == .doesNotExist)
    // Opening a FIFO could wait forever for its other end.
    #expect(unsafe mkfifo(path + "/fifo", 0o600) == 0)
    #expect(failure(path + "/fifo") == .isFIFO)
    #expect(unsafe symlink(path + "/none", path + "/dangling") == 0)
    #expect(failure(path + "/dangling") == .doesNotExist)
    #expect(unsafe symlink(path + "/loop", path + "/loop") == 0)
    #expect(failure(path + "/loop") == .doesNotExist)
    #expect(failure("/" + String(repeating: "x", count: 5000)) == .doesNotExist)
  }

  @Test(arguments: ["/dev/null", "/dev/zero", "/dev/random", "/dev/ptmx", "/dev/tty", "/dev/console"])
  func refusesOtherDevices(path: String) {
    #expect(failure(path) == .isNotSerialPort)
  }

  @Test func followsLinks() throws {
    let terminal = try PseudoTerminal()
    let folder = try TemporaryFolder()
    #expect(unsafe symlink(terminal.path, folder.path + "/receiver") == 0)
    #expect(failure(folder.path + "/receiver") == nil)
  }

  @Test func isExclusive() throws {
    let terminal = try PseudoTerminal()
    do {
      let port = try SerialPort.open(path: terminal.path, baud: 4800)
      #expect(failure(terminal.path) == .inUse)
      let speed = port.speed
      #expect(speed == 4800)  // the second attempt changed nothing
    }
    #expect(failure(terminal.path) == nil)
  }

  /// A copy of the descriptor is what a child process has between fork and exec.
  @Test func isFreeAfterItsEndThoughACopyOfTheDescriptorIsOpen() throws {
    let terminal = try PseudoTerminal()
    let copy: OwnedDescriptor
    do {
      let port = try SerialPort.open(path: terminal.path, baud: 4800)
      copy = OwnedDescriptor(rawValue: fcntl(port.descriptor, F_DUPFD_CLOEXEC, 0))
      #expect(failure(terminal.path) == .inUse)
    }
    #expect(fcntl(copy.rawValue, F_GETFD) == FD_CLOEXEC)
    #expect(failure(terminal.path) == nil)
  }

  @Test func respectsATerminalThatAnotherProgramMarked() throws {
    let terminal = try PseudoTerminal()
    let other = OwnedDescriptor(rawValue: unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    #expect(ioctl(other.rawValue, UInt(TIOCEXCL)) == 0)
    #expect(failure(terminal.path) == .inUse)
    #expect(ioctl(other.rawValue, UInt(TIOCNXCL)) == 0)
    #expect(failure(terminal.path) == nil)
  }

  @Test func reportsADeviceThatHasGone() throws {
    let terminal = try PluggedTerminal()
    let slave = OwnedDescriptor(rawValue: unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    terminal.unplug()
    #expect(failure(terminal.path) == .doesNotExist)
    // The device node can still be opened through this path, and returns EIO.
    #expect(failure("/proc/self/fd/\(slave.rawValue)") == .vanished)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be someone else for a moment"))
  func reportsWhichGroupToJoin() throws {
    let terminal = try PseudoTerminal()
    let path = terminal.path
    /// Runs as user and group 65534; each thread has its own identity for files.
    func asNobody<R>(_ body: () throws -> R) rethrows -> R {
      callByName("setfsgid", 65_534)
      callByName("setfsuid", 65_534)
      defer {
        callByName("setfsuid", 0)
        callByName("setfsgid", 0)
      }
      return try body()
    }
    #expect(unsafe chown(path, 0, 5) == 0)
    #expect(unsafe chmod(path, 0o660) == 0)
    #expect(asNobody { failure(path) } == .permissionDenied(owningGroup: "tty"))
    #expect(unsafe chmod(path, 0o620) == 0)
    #expect(asNobody { failure(path) } == .permissionDenied(owningGroup: nil))
    // Permission to read is enough.
    #expect(unsafe chmod(path, 0o664) == 0)
    let isWritable = try asNobody { try SerialPort.open(path: path, baud: 9600).isWritable }
    #expect(!isWritable)
  }
}
