import Glibc
import LinuxIO
import Testing

@Suite struct SerialPortTests {
  @Test func carriesBytesBothWaysWithoutEcho() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: 9600)
    // Every byte value: none may be edited, translated or interpreted as a signal.
    let all = [UInt8](0...255)
    #expect(terminal.write(all) == .written(256))
    #expect(receive(256, from: port.descriptor) { port.read(into: &$0) } == all)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(terminal.read(into: &buffer) == .wouldBlock)  // no echo
    #expect(port.write(all) == .written(256))
    #expect(receive(256, from: terminal.descriptor) { terminal.read(into: &$0) } == all)
    #expect(port.read(into: &buffer) == .wouldBlock)
    let isWritable = port.isWritable
    #expect(isWritable)
  }

  @Test func reportsTheEndWhenUnplugged() throws {
    let terminal = try PluggedTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: nil)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(port.read(into: &buffer) == .wouldBlock)
    terminal.unplug()
    #expect(port.read(into: &buffer) == .endOfFile)
    #expect(port.write([1]) == .failed(SystemError(operation: "write", errno: EIO)))
  }

  @Test func setsAnySpeed() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: 250_000)
    var speed = port.speed
    #expect(speed == 250_000)
    #expect(terminal.slaveSpeed == 250_000)
    for baud in [4_800, 9_600, 38_400, 115_200, 123_456, 921_600] {
      try port.setSpeed(baud)
      speed = port.speed
      #expect(speed == baud)
      #expect(terminal.slaveSpeed == baud)
    }
    for baud in [0, -9_600, .max] {
      #expect(throws: SystemError(operation: "set line speed", errno: EINVAL)) { try port.setSpeed(baud) }
    }
    #expect(terminal.slaveSpeed == 921_600)
  }

  @Test func takesWhatFitsAndSaysSo() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: 115_200)
    let much = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var sent = 0
    var result = port.write(much)
    while case .written(let count) = result {
      #expect(count > 0 && count < much.count)
      sent += count
      result = port.write(Array(much[sent...]))
    }
    #expect(result == .wouldBlock)
    #expect(sent > 0)
    let arrived = receive(sent, from: terminal.descriptor) { terminal.read(into: &$0) } == Array(much[..<sent])
    #expect(arrived)
    #expect(port.write([1]) == .written(1))
    #expect(port.write([]) == .written(0))
  }

  @Test func dropsInput() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: nil)
    #expect(terminal.write([1, 2, 3]) == .written(3))
    #expect(waitReadable(port.descriptor))
    port.flushInput()
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(port.read(into: &buffer) == .wouldBlock)
  }

  @Test func putsTheLineBackAsItWas() throws {
    let terminal = try PseudoTerminal()
    let observer = OwnedDescriptor(rawValue: unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    func settings() -> termios {
      var settings = termios()
      #expect(unsafe tcgetattr(observer.rawValue, &settings) == 0)
      return settings
    }
    var cooked = settings()
    cooked.c_iflag = tcflag_t(ICRNL | IXON)
    cooked.c_oflag = tcflag_t(OPOST)
    cooked.c_lflag = tcflag_t(ISIG | ICANON | ECHO)
    cooked.c_cflag |= tcflag_t(HUPCL)
    unsafe cfsetspeed(&cooked, speed_t(B4800))
    #expect(unsafe tcsetattr(observer.rawValue, TCSANOW, &cooked) == 0)
    do {
      let port = try SerialPort.open(path: terminal.path, baud: 57_600)
      let raw = settings()
      #expect(raw.c_lflag == 0)
      #expect(raw.c_oflag == 0)
      #expect(raw.c_iflag == tcflag_t(IGNBRK))
      #expect(raw.c_cflag & tcflag_t(HUPCL | PARENB | CSTOPB) == 0)
      #expect(raw.c_cflag & tcflag_t(CLOCAL | CREAD | CS8) == tcflag_t(CLOCAL | CREAD | CS8))
      let speed = port.speed
      #expect(speed == 57_600)
    }
    let after = settings()
    #expect(after.c_iflag == cooked.c_iflag)
    #expect(after.c_oflag == cooked.c_oflag)
    #expect(after.c_lflag == cooked.c_lflag)
    #expect(after.c_cflag == cooked.c_cflag & ~tcflag_t(HUPCL), "all but DTR dropping at every close")
    #expect(terminal.slaveSpeed == 4_800)
  }

  /// Reads until `count` bytes have come.
  private func receive(_ count: Int, from fd: Int32, _ read: (inout [UInt8]) -> ReadResult) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < count {
      switch read(&buffer) {
      case .bytes(let count): bytes += buffer[..<count]
      case .wouldBlock where waitReadable(fd): continue
      case .wouldBlock, .endOfFile, .failed:
        Issue.record("only \(bytes.count) bytes of \(count)")
        return bytes
      }
    }
    return bytes
  }
}
