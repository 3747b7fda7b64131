import Foundation

/// One run of `locationctl` with its output on a pseudo-terminal.
final class TerminalRun {
  private let process = Process()
  private let master: FileHandle
  private let errors = Pipe()
  /// Everything that was written to the terminal.
  private(set) var output = ""
  private var pending: [UInt8] = []

  struct NoTerminal: Error {}

  /// - Parameters:
  ///   - program: another program than `locationctl`.
  ///   - errorsToo: whether standard error is connected to that terminal, too.
  ///   - inputToo: whether standard input is.
  init(
    _ arguments: [String], of program: String = ProgramRun.locationctl, columns: Int, rows: Int,
    errorsToo: Bool = false, inputToo: Bool = false,
    environment: [String: String]
  ) throws {
    var (master, slave) = (Int32(-1), Int32(-1))
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard unsafe openpty(&master, &slave, nil, nil, &size) == 0 else { throw NoTerminal() }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    self.master = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LOCATIOND_GPSD": "off"].merging(environment) { $1 }
    process.standardOutput = terminal
    process.standardError = errorsToo ? terminal : errors
    process.standardInput = inputToo ? terminal : FileHandle.nullDevice
    try process.run()
    // A copy that stays open in this process would keep the terminal open after the program has ended.
    try terminal.close()
    try errors.fileHandleForWriting.close()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Reads until `isEnough` returns `true`, and calls `meanwhile` every twentieth of a second. Returns `false` if that never
  /// happens: the time limit is a guard against hanging, not a measurement.
  func read(meanwhile: () -> Void = {}, until isEnough: (String) -> Bool) -> Bool {
    for _ in 0..<600 {
      if isEnough(output) { return true }
      meanwhile()
      guard readSome() else { return isEnough(output) }
    }
    return false
  }

  /// Reads the remaining output, then returns the exit status.
  func end() -> Int32 {
    while readSome() {}
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Types `text` on the terminal.
  func type(_ text: String) throws { try master.write(contentsOf: Data(text.utf8)) }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(master.fileDescriptor, UInt(TIOCSWINSZ), &size)
    // The terminal is not the controlling terminal of the process; a controlling terminal would send the signal by itself.
    send(SIGWINCH)
  }

  /// What the program wrote to stderr, after it has ended.
  var complaints: String { String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

  /// Returns `false` at the end of the output.
  private func readSome() -> Bool {
    var wait = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, 50) == 1 else { return true }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = unsafe Glibc.read(master.fileDescriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    // A multibyte character may be split between two reads.
    let whole = pending.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? 0
    output += String(decoding: pending[..<whole], as: UTF8.self)
    pending.removeFirst(whole)
    return true
  }
}
