import GPSDServer
import Geodesy
import LocationIPC
import Testing

/// Clients that read slowly or not at all: no broken line, and no old position.
@Suite struct SlowClientTests {
  private func watcher(_ request: String = "?WATCH={\"enable\":true,\"json\":true};\n") -> ServedClient {
    var client = ServedClient()
    client.send(request)
    _ = client.lines()
    client.reads = false
    return client
  }

  /// Whatever part of an epoch was read before newer ones came: only whole lines arrive, and then the newest epoch.
  @Test func theNewestEpochReplacesUnreadLines() {
    var probe = watcher()
    probe.sendEpoch()
    let size = probe.session.unsent.count
    for cut in stride(from: 0, through: size, by: 7) {
      var client = watcher()
      client.sendEpoch()
      client.readBytes(cut)
      for _ in 1...5 {
        client.now = client.now + .seconds(1)
        client.sendEpoch()
      }
      #expect(client.session.unsent.count <= 2 * size)
      client.reads = true
      client.handle(.wake)
      let lines = client.lines()
      #expect(lines.allSatisfy { $0.hasPrefix("{\"class\":\"") && $0.hasSuffix("}") })
      #expect(lines.suffix(3).map(ServedClient.className) == ["SKY", "GST", "TPV"])
      #expect(lines.last?.value("time") == "\"2026-03-01T12:35:01.000Z\"")
      let positions = lines.filter { ServedClient.className($0) == "TPV" }
      // The rest of a line that was read in part is the only older one.
      #expect(positions.count <= 2)
      if cut == size { #expect(positions.count == 2) }
    }
  }

  @Test func bothFormsAreReplaced() {
    var client = watcher("?WATCH={\"json\":true,\"nmea\":true}\n")
    client.sendEpoch()
    client.readBytes(10)
    client.now = client.now + .seconds(1)
    client.sendEpoch()
    client.reads = true
    client.handle(.wake)
    let lines = client.lines()
    #expect(lines.prefix(4).map(ServedClient.className) == ["SKY", "SKY", "GST", "TPV"])
    #expect(lines.filter { $0.hasPrefix("$GNRMC") }.count == 1)
  }

  @Test func answersAreKept() {
    var client = watcher()
    client.sendEpoch()
    client.send("?VERSION;\n")
    client.sendEpoch()
    client.reads = true
    client.handle(.wake)
    #expect(client.classes() == ["VERSION", "SKY", "GST", "TPV"])
  }

  /// A client that requests and does not read: its further requests wait in its socket.
  @Test func answersAreBounded() {
    var client = watcher()
    client.sendEpoch()
    for _ in 1...2000 where client.session.isReading {
      client.now = client.now + .milliseconds(50)
      client.send("?POLL;\n")
    }
    #expect(!client.session.isReading)
    #expect(client.session.unsent.count < 32 << 10)
    client.reads = true
    client.readBytes(1)
    client.handle(.wake)
    #expect(client.session.isReading)
    _ = client.lines()
  }

  @Test func aClientThatNeverReadsIsClosed() {
    var client = watcher()
    client.sendEpoch()
    client.wait(.seconds(179))
    client.sendEpoch()
    #expect(client.actions.count == 1)
    client.wait(.seconds(1))
    #expect(client.actions.suffix(2) == [.stopUpdates, .close(.tooSlow)])
  }

  @Test func aClientThatReadsSometimesStays() {
    var client = watcher()
    for _ in 1...20 {
      client.sendEpoch()
      client.wait(.seconds(170))
      client.readBytes(1)
    }
    #expect(client.actions.count == 1)
  }

  @Test func rawBytesAreBounded() {
    var client = watcher("?WATCH={\"raw\":2}\n")
    let bytes = [UInt8](repeating: 0x55, count: 4096)
    for _ in 1...64 { client.handle(.raw(bytes, device: ServedEpoch.path)) }
    #expect(!client.session.isOver)
    client.handle(.raw([0], device: ServedEpoch.path))
    #expect(client.actions.last == .close(.tooSlow))
  }

  /// Raw bytes that wait when access ends are not sent, and what follows them begins a line.
  @Test(arguments: [GPSDAccess.denied, .reduced]) func rawBytesAreDroppedWithTheAccess(access: GPSDAccess) {
    var client = watcher("?WATCH={\"raw\":2,\"json\":true}\n")
    client.handle(.raw([UInt8](repeating: 0x55, count: 4096), device: ServedEpoch.path))
    client.readBytes(100)
    client.handle(.access(access))
    client.reads = true
    client.handle(.wake)
    #expect(client.received.count { $0 == 0x55 } == 100)
    #expect(client.received[100...].starts(with: Array("\r\n{\"class\":\"".utf8)))
  }
}
