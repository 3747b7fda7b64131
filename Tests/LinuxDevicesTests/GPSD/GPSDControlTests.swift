import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import Testing

/// gpsd's control socket: the commands, and any possible answers.
@Suite struct GPSDControlTests {
  @Test func commandsAreLines() {
    #expect(GPSDControlCommand.add("/dev/ttyACM0").line == Array("+/dev/ttyACM0\n".utf8))
    #expect(GPSDControlCommand.remove("/dev/ttyACM0").line == Array("-/dev/ttyACM0\n".utf8))
  }

  /// A name that contains a line ending would be a second command.
  @Test(arguments: ["", "a b", "a\n!/dev/ttyACM0=x", "ü", "a\0", String(repeating: "x", count: 1025)])
  func commandsWithLineBreaksAreNotPrinted(name: String) {
    #expect(GPSDControlCommand.remove(name).line == nil)
  }

  @Test(arguments: [
    ("OK", GPSDControlAnswer.done), ("OK\r", .done), (#"{"class":"ACK"}"#, .done), (#"{"class":"OK"}"# + "\r", .done),
    ("ERROR", .refused), (#"{"class":"ERROR"}"#, .refused), (#"{"class":"ERROR","message":"x"}"#, .refused),
    ("", nil), ("OKAY", nil), ("ok", nil), ("{}", nil), (#"{"class":"VERSION"}"#, nil), ("\u{0}\u{FF}", nil),
  ])
  func answersOfAllVersionsAreRead(line: String, answer: GPSDControlAnswer?) {
    #expect(GPSDControlAnswer(line: line.utf8) == answer)
  }

  // MARK: - On a socket

  /// The result of a command if the server calls `act` with the first connection.
  private func ask(
    sockets: (String) -> [String] = { [$0] }, _ act: @escaping (borrowing UnixStream) -> Void, closes: Bool = false
  ) throws -> (answer: GPSDControlAnswer?, received: [UInt8]) {
    let path = "/tmp/gpsd-control-\(UUID().uuidString.prefix(8))"
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o600))
    let loop = try EventLoop()
    var connection: UnixStream?
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    _ = try loop.watch(listener.descriptor) { _ in
      guard let accepted = try? listener.accept() else { return }
      _ = try? loop.watch(accepted.descriptor) { _ in
        guard case .bytes(let count)? = connection?.read(into: &buffer) else { return }
        received += buffer[..<count]
      }
      act(accepted)
      if !closes { connection = consume accepted }
    }
    var answer: GPSDControlAnswer?
    let control = GPSDControl(loop: loop, sockets: sockets(path), .remove("/dev/ttyACM0")) {
      answer = $0
      loop.stop()
    }
    // A guard against hanging, not a measurement.
    loop.schedule(at: loop.now + .seconds(20)) { loop.stop() }
    try withExtendedLifetime(control) { try loop.run() }
    return (answer, received)
  }

  private func say(_ bytes: [UInt8]) -> (borrowing UnixStream) -> Void { { _ = $0.write(bytes[...]) } }

  @Test func itsOptOutIsEffectiveAtTheFirstPlace() throws {
    #expect(try ask(say(Array("OK\n".utf8))).answer == .done)
    #expect(try ask(say(Array(#"{"class":"ERROR"}"#.utf8) + [13, 10])).answer == .refused)
    #expect(try ask(sockets: { ["/tmp/nothing-is-here", $0] }, say(Array("OK\n".utf8))).answer == .done)
  }

  @Test func invalidAnswerIsInvalid() throws {
    let noise = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    #expect(try ask(say(noise)).answer == .noAnswer)
    #expect(try ask(say(Array(repeating: UInt8(ascii: "O"), count: 4096))).answer == .noAnswer)
    #expect(try ask(say(Array("\n".utf8))).answer == .noAnswer)
    #expect(try ask({ _ in }, closes: true).answer == .noAnswer)
  }

  @Test func aFileThatIsNoSocketIsReportedByTheLikeliestName() throws {
    #expect(try ask(sockets: { _ in ["/tmp/a-no", "/tmp/b-no"] }, { _ in }).answer == .noSocket("/tmp/a-no"))
    #expect(try ask(sockets: { _ in ["/etc/passwd"] }, { _ in }).answer == .noSocket("/etc/passwd"))
    #expect(try ask(sockets: { _ in [] }, { _ in }).answer == .noSocket(""))
  }
}
