import Geodesy
import Glibc
import LinuxIO
import Testing

@Suite struct StandardStreamTests {
  @Test func writesAllToASlowReaderThatDoesNotBlock() throws {
    // A pipe holds 64 KiB; the reader is another process, which writes everything to a file.
    let folder = try TemporaryFolder()
    let (fifo, copy) = (folder.path + "/fifo", folder.path + "/copy")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    let reader = try Child(["/bin/cp", "--copy-contents", fifo, copy])
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    do {
      // Opening blocks until the reader is there; afterwards, writing does not block.
      let writer = OwnedDescriptor(rawValue: unsafe open(fifo, O_WRONLY | O_CLOEXEC))
      #expect(fcntl(writer.rawValue, F_SETFL, O_NONBLOCK) == 0)
      #expect(Stream.write(bytes, to: writer.rawValue) == .written)
      #expect(Stream.write([], to: writer.rawValue) == .written)
    }
    reader.wait()
    #expect(try StateFile.read(copy, maximumSize: 2_000_000) == bytes)
  }

  @Test func reportsThatTheReaderHasGone() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe2(&ends, O_CLOEXEC) == 0)
    let writer = OwnedDescriptor(rawValue: ends[1])
    close(ends[0])
    #expect(Stream.write([1], to: writer.rawValue) == .readerGone)
  }

  @Test func reportsWhatWentWrong() throws {
    let full = OwnedDescriptor(rawValue: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))
    #expect(Stream.write([1], to: full.rawValue) == .failed(ENOSPC))
    #expect(Stream.write([1], to: -1) == .failed(EBADF))
  }

  @Test func knowsATerminal() throws {
    let terminal = try PseudoTerminal()
    let null = OwnedDescriptor(rawValue: unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
    #expect(Terminal.isTerminal(terminal.descriptor))
    #expect(!Terminal.isTerminal(null.rawValue))
  }

  @Test func knowsWhenItWasBuilt() {
    #expect(BuildDate.date.map { $0.year >= 2025 } == true)
  }

  @Test func describesErrors() {
    #expect(SystemError(operation: "open", errno: EACCES).description == "open: Permission denied")
    #expect(SystemError(operation: "open", errno: 99_999).description == "open: Unknown error 99999")
  }
}
