import Glibc
import LinuxIO
import Testing

@Suite struct SerialPortTests {
  @Test func carriesBytesBothWaysWithoutEcho() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: 9600)
    // Every byte value: nothing may be edited, translated or taken for a signal.
    let all = [UInt8](0...255)
    var buffer = [UInt8](repeating: 0, count: 1024)
    #expect(terminal.write(all) == .written(256))
    #expect(port.read(into: &buffer) == .bytes(256))
    #expect(Array(buffer[..<256]) == all)
    #expect(terminal.read(into: &buffer) == .wouldBlock)  // no echo
    #expect(port.write(all) == .written(256))
    #expect(terminal.read(into: &buffer) == .bytes(256))
    #expect(Array(buffer[..<256]) == all)
    #expect(port.read(into: &buffer) == .wouldBlock)
    let isWritable = port.isWritable
    #expect(isWritable)
  }
}
