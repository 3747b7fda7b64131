import Foundation
import TestSupport
import Testing

/// Programs of another machine, for which a network namespace stands: it has an address of its own, and nothing else in common.
@Suite(.serialized, .enabled(if: OtherMachine.isPossible, "needs root, ip(8), network namespaces and Python"))
final class MachineClientTests {
  private let place: RunningDaemon.Place
  private let machine: OtherMachine
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    machine = try OtherMachine()
    try place.configure(
      """
      gpsd-listen = \(machine.host):2947
      gpsd-allow = \(machine.allowed)
      nmea-listen = \(machine.host):10110
      nmea-allow = \(machine.allowed)

      """)
    daemon = try RunningDaemon.listening(["--source", "simulator"], at: place)
    try daemon.awaitLine("Serving NMEA 0183 at \(machine.host):10110")
  }

  private func stop() {
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aMachineGetsWhatItsAddressWasGranted() throws {
    let watch = #"?WATCH={"enable":true,"json":true};"#
    let before = try machine.talk(to: 2947, sending: watch, seconds: 4)
    #expect(before.contains("VERSION") && before.contains("TPV") && !before.contains("\"lat\""), "\(before)")
    let granted = try CommandRun.run("grant", "net:\(machine.allowed)", "--always", at: place)
    #expect(granted.status == 0, "\(granted.errors)")
    let after = try machine.talk(to: 2947, sending: watch, seconds: 8)
    #expect(after.contains("\"lat\"") && after.contains("SKY"), "\(after)")
    let raw = try machine.talk(to: 2947, sending: #"?WATCH={"enable":true,"json":true,"raw":2};"#, seconds: 4)
    #expect(raw.contains("raw data is only for programs of this machine"), "\(raw)")
    let sentences = try machine.talk(to: 10110, sending: "", seconds: 6)
    #expect(sentences.contains("$GNGGA"), "\(sentences)")
    #expect(try CommandRun.run("revoke", "net:\(machine.allowed)", at: place).status == 0)
    let revoked = try machine.talk(to: 2947, sending: watch, seconds: 4)
    #expect(revoked.contains("not authorized") && !revoked.contains("\"lat\""), "\(revoked)")
    stop()
  }

  @Test func onlyMachinesOfTheListAreServed() throws {
    let watch = #"?WATCH={"enable":true,"json":true};"#
    #expect(try machine.talk(to: 2947, sending: watch, seconds: 4, from: machine.other) == "")
    // A program of this machine would get the identity of a machine.
    #expect(try machine.talk(to: 2947, sending: watch, seconds: 4, fromThisMachine: true) == "")
    let gpsd = try #require(try CommandRun.run("gpsd", "status", "--json", at: place).objects.first)
    let ports = try #require(gpsd["ports"] as? [[String: Any]])
    #expect(
      ports.contains { $0["address"] as? String == "\(machine.host):2947" && $0["state"] as? String == "listening" })
    // Without a list, the address is not opened.
    try place.configure("gpsd-listen = \(machine.host):2947\n")
    daemon.send(SIGHUP)
    try daemon.awaitLine("name those that may connect in gpsd-allow")
    #expect(try machine.talk(to: 2947, sending: watch, seconds: 4) == "")
    stop()
  }
}

/// A network namespace with two addresses, connected to this machine.
final class OtherMachine {
  let host: String
  let allowed: String
  let other: String
  private let name: String

  static var isPossible: Bool {
    guard geteuid() == 0, (try? GPSDServing.run(["python3", "--version"]).status) == 0 else { return false }
    return (try? OtherMachine()) != nil
  }

  struct NotMade: Error { let output: String }

  init() throws {
    // A network for documentation (RFC 5737), cut into networks of eight addresses.
    let net = 8 * Int.random(in: 0..<32)
    (host, allowed, other) = ("198.51.100.\(net + 1)", "198.51.100.\(net + 2)", "198.51.100.\(net + 3)")
    name = "ld\(UInt32.random(in: 0 ... 0xFFFFFF))"
    try ip("netns add \(name)")
    try ip("link add \(name)a type veth peer name \(name)b netns \(name)")
    try ip("addr add \(host)/29 dev \(name)a")
    try ip("link set \(name)a up")
    for address in [allowed, other] { try ip("-n \(name) addr add \(address)/29 dev \(name)b") }
    try ip("-n \(name) link set \(name)b up")
  }

  deinit { _ = try? GPSDServing.run(["ip", "netns", "del", name]) }

  private func ip(_ words: String) throws {
    let (output, status) = try GPSDServing.run(["ip"] + words.split(separator: " ").map(String.init))
    guard status == 0 else { throw NotMade(output: output) }
  }

  private static let program = """
    import socket, sys, time
    host, port, source, text, seconds = sys.argv[1:]
    try:
        stream = socket.create_connection((host, int(port)), 3, (source, 0) if source else None)
        stream.sendall((text + "\\n").encode() if text else b"")
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            stream.settimeout(max(0.01, end - time.monotonic()))
            data = stream.recv(65536)
            if not data: break
            sys.stdout.write(data.decode("latin-1"))
    except OSError:
        pass
    """

  /// What the service sends to a program there in that time.
  func talk(
    to port: Int, sending text: String, seconds: Int, from source: String? = nil, fromThisMachine: Bool = false
  ) throws -> String {
    let prefix = fromThisMachine ? [] : ["ip", "netns", "exec", name]
    let words = [
      "python3", "-c", Self.program, host, "\(port)", fromThisMachine ? "" : source ?? allowed, text, "\(seconds)",
    ]
    return try GPSDServing.run(prefix + words).output
  }
}
