import Foundation
import TestSupport
import Testing

/// What must not harm a program with access, and those beside it, at gpsd's port.
@Suite(.serialized) struct GPSDAttackTests {
  /// A web page or a TLS client in the browser of a user with access: the connection is closed, and nothing of it is a request.
  @Test(arguments: ["post", "tls"]) func aBrowserOfAUserWithAccessReceivesNoPosition(kind: String) throws {
    let serving = try GPSDServing()
    let client = try PortConnection(port: serving.gpsd)
    client.send("?WATCH={\"enable\":true,\"json\":true}\n")
    // There is a position that would be sent.
    #expect(client.line(with: "\"lat\"") != nil)
    let browser = try serving.attack("tcp-\(kind)", 8, user: 0)
    #expect(client.line(with: "\"lat\"") != nil)
    let counts = browser.end()
    #expect(counts["positions"] == 0 && counts["closed"] == 8, "\(counts)")
  }

  /// The same at the port of NMEA 0183: nothing is sent, and no receiver is opened for it.
  @Test(arguments: ["post", "tls"]) func aBrowserAtThePortOfNMEAReceivesNothing(kind: String) throws {
    let serving = try GPSDServing()
    let browser = try NetworkAttackRun("tcp-\(kind)", 8, user: 0, at: "127.0.0.1:\(serving.nmea)")
    let counts = browser.end()
    #expect(counts["bytes"] == 0 && counts["closed"] == 8, "\(counts)")
    // No receiver was opened.
    let devices = try CommandRun.run("devices", "--listen", "0", at: serving.place)
    #expect(devices.objects.first?["state"] as? String == "closed", "\(devices.text)")
    let reader = try PortConnection(port: serving.nmea)
    #expect(reader.line(with: "GNGGA")?.contains(",,,") == false)
  }

  /// A request in pieces, and several in one piece: each is answered once, in order.
  @Test func requestsAreSplitAndMerged() throws {
    let serving = try GPSDServing()
    let client = try PortConnection(port: serving.gpsd)
    #expect(client.line()?.contains("VERSION") == true)
    for byte in "?VERSION;?DEV" { client.send(String(byte)) }
    client.send("ICES;\n?WATCH;?VERSION;\r\n?PO")
    client.send("LL;\n")
    let expected = ["VERSION", "DEVICES", "DEVICES", "WATCH", "VERSION", "POLL"]
    for name in expected { #expect(client.line()?.hasPrefix("{\"class\":\"\(name)\"") == true, "\(name)") }
  }

  private static let seconds = 3600

  /// A drive of an hour, which the daemon plays as fast as it is read.
  private static func drive() -> [UInt8] {
    (0..<seconds).flatMap { second in
      let time = String(format: "%02d%02d%02d.00", 12 + second / 3600, second / 60 % 60, second % 60)
      let position = String(format: "47%07.4f,N,00833.9000,E", 17.0 + Double(second) * 0.001)
      return [
        "GPRMC,\(time),A,\(position),3.6,0.0,011126,,,A", "GPGGA,\(time),\(position),1,08,1.0,400.0,M,47.0,M,,",
      ].flatMap { body in Array("$\(body)*\(String(format: "%02X", body.utf8.reduce(0, ^)))\r\n".utf8) }
    }
  }

  /// A reader that stalls while an hour passes: the epochs that its own socket has no room for are dropped, each line is whole, and after
  /// the end of the position there is no older one.
  @Test func aStalledReaderReceivesWholeLinesAndTheNewestEpoch() throws {
    let place = try RunningDaemon.Place()
    let log = place.folder.appendingPathComponent("drive.nmea")
    try Data(Self.drive()).write(to: log)
    let serving = try GPSDServing(["--replay", log.path])
    let stalled = try PortConnection(port: serving.gpsd)
    stalled.send("?WATCH={\"enable\":true,\"json\":true}\n")
    let reader = try PortConnection(port: serving.gpsd)
    reader.send("?WATCH={\"enable\":true,\"json\":true}\n")
    #expect(reader.line(with: "\"lat\"") != nil)
    // The end of the recording.
    #expect(reader.line(with: "\"mode\":1") != nil)
    var (times, modes): ([String], [Int]) = ([], [])
    repeat {
      let line = try #require(stalled.line())
      let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      guard object["class"] as? String == "TPV" else { continue }
      modes.append(try #require(object["mode"] as? Int))
      if let time = object["time"] as? String, object["lat"] != nil { times.append(time) }
    } while !(modes.last == 1 && !times.isEmpty)
    #expect(times == times.sorted() && Set(times).count == times.count)
    #expect(times.count < Self.seconds / 2, "\(times.count)")
  }
}

/// Numbers of clients that only the long form has.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"),
  .enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1", "long: LOCATION_SOAK=1"))
struct GPSDCrowdTests {
  private static let users = 4_200_160

  /// 1,000 programs of eight users with access: all are served.
  @Test func aThousandClientsOfEightUsersAreServed() throws {
    let serving = try GPSDServing()
    let crowds = try (0..<8).map { number in
      let grant = try CommandRun.run("grant", "\(Self.users + number)", "--always", at: serving.place)
      #expect(grant.status == 0, "\(grant.errors)")
      return try serving.attack("tcp-watch", 125, user: Self.users + number)
    }
    #expect(crowds.allSatisfy { $0.begin["refused"] == 0 })
    let root = try PortConnection(port: serving.gpsd)
    root.send("?WATCH={\"enable\":true,\"json\":true}\n")
    for _ in 0..<3 { #expect(root.line(with: "\"lat\"") != nil) }
    for crowd in crowds {
      let counts = crowd.end()
      #expect((counts["positions"] ?? 0) >= 125 && counts["closed"] == 0, "\(counts)")
    }
  }

  /// 2,000 connections of sixteen users without access: they receive nothing, and root is served.
  @Test func twoThousandConnectionsWithoutAccessLeaveTheOthersServed() throws {
    let serving = try GPSDServing()
    let crowds = try (0..<16).map { try serving.attack("tcp-watch", 125, user: Self.users + 16 + $0) }
    let refused = crowds.reduce(0) { $0 + ($1.begin["refused"] ?? 0) }
    #expect(refused >= 2000 - 512, "\(refused)")
    let root = try PortConnection(port: serving.gpsd)
    root.send("?WATCH={\"enable\":true,\"json\":true}\n")
    for _ in 0..<3 { #expect(root.line(with: "\"lat\"") != nil) }
    #expect(try CommandRun.run("fix", "--timeout", "20", at: serving.place).status == 0)
    for crowd in crowds { #expect(crowd.end()["positions"] == 0) }
  }
}
