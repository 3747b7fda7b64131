import Geodesy
import LinuxIO
import Testing

/// Messages to a port whose line is slower than the program.
@Suite struct SerialWriterTests {
  /// A port at first without a reader: the rest of what it has accepted in part follows before anything else, and what is dropped is
  /// dropped whole.
  @Test func aMessageThatWasCutIsCompletedFirst() throws {
    let loop = try EventLoop()
    let line = try Line()
    let writer = SerialWriter(loop)
    for number in 1...40 as ClosedRange<UInt8> {
      let message = [0xD3] + [UInt8](repeating: number, count: 999)
      writer.write(message) { line.write($0) }
    }
    #expect(line.hasCut && writer.waitingCount > 0)
    let watch = try loop.watch(line.descriptor) { _ in
      line.read()
      if writer.waitingCount == 0 { loop.stop() }
    }
    try loop.run()
    loop.unwatch(watch)
    let received = line.received
    #expect(received.count % 1000 == 0 && (2000..<40_000).contains(received.count), "\(received.count)")
    for start in stride(from: 0, to: received.count - 999, by: 1000) {
      #expect(received[start] == 0xD3 && Set(received[start + 1..<start + 1000]).count == 1)
    }
  }

  /// A pair of terminals that callbacks share.
  private final class Line {
    private let terminal: PseudoTerminal
    private let port: SerialPort
    private(set) var hasCut = false
    private(set) var received: [UInt8] = []

    init() throws {
      let terminal = try PseudoTerminal()
      port = try SerialPort.open(path: terminal.path, baud: nil)
      self.terminal = consume terminal
    }

    var descriptor: Int32 { terminal.descriptor }

    func write(_ bytes: [UInt8]) -> WriteResult {
      let result = port.write(bytes)
      if result != .written(bytes.count) { hasCut = true }
      return result
    }

    func read() {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case .bytes(let count) = terminal.read(into: &buffer) { received += buffer[..<count] }
    }
  }
}
