import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Positioning
import Testing
import locationctl

/// The clients that use location, as `status` shows them.
@Suite struct StatusUsageTests {
  private var status: ServiceStatus {
    var status = ServiceStatus(source: "auto")
    status.version = "1.2.3"
    status.isOn = false
    status.indicator = .hollow
    var client = ClientStatus(name: "locationctl")
    client.userID = 4_200_001
    client.identity = ClientIdentity(userID: 4_200_001)
    client.level = .whenInUse
    client.presence = .background
    status.clients = [client]
    let user = LocationUser(ClientIdentity(userID: 4_200_001), name: "a\u{1B}b")
    var now = UsageDescription(user, mark: .current, uses: [.location, .significantChanges])
    now.usedFor = .seconds(42)
    var before = UsageDescription(user, mark: .recently, uses: [])
    before.usedAgo = .seconds(7300)
    status.usage = [now, before, UsageDescription(user, mark: .fences, uses: .fences)]
    return status
  }

  @Test func noKeyComesTwice() {
    let text = String(decoding: StatusJSON.line(status), as: UTF8.self)
    let client = text.components(separatedBy: "\"clients\":")[1].prefix { $0 != "]" }
    #expect(client.components(separatedBy: "\"uid\":").count == 2, "\(client)")
  }

  @Test func wifiIsTold() throws {
    var status = status
    for (report, words, json) in [
      (WiFiReport.off, "Wi-Fi     off   in the environment of locationd", #""wifi":{"state":"off"}"#),
      (.resting, "Wi-Fi     idle", #""wifi":{"state":"resting"}"#),
      (
        .listening(received: 12, known: 1, problem: nil),
        "Wi-Fi     on   12 access points in range, 1 with a known position\n",
        #""wifi":{"state":"listening","heard":12,"known":1}"#
      ),
      (
        .deaf(.noRadio), "Wi-Fi     no access point in range   There is no Wi-Fi radio",
        #""wifi":{"state":"deaf","problem":"There is no Wi-Fi radio"#
      ),
    ] {
      status.wifi = report
      #expect(String(decoding: StatusTable.text(status, .pipe), as: UTF8.self).contains(words))
      #expect(String(decoding: StatusJSON.line(status), as: UTF8.self).contains(json))
    }
    status.wifi = nil
    #expect(!String(decoding: StatusJSON.line(status), as: UTF8.self).contains("wifi\":"))
  }

  @Test func theTextHasARowForEachClientAndUser() {
    let text = String(decoding: StatusTable.text(status, .pipe), as: UTF8.self)
    #expect(
      text.hasPrefix(
        "● locationd 1.2.3   up 0 s\n  Access    location services off   indicator hollow: only regions or visits are monitored\n"
      ),
      "\(text)")
    #expect(
      text.contains("  Clients     locationctl  4200001  while in use  no request  in the background\n"), "\(text)")
    #expect(
      text.contains("  Used by   ➤ 4200001  “ab”  now, for 42 s     location, significant changes\n"), "\(text)"
    )
    #expect(text.contains("            · 4200001  “ab”  2 h ago\n"))
    #expect(text.contains("            ▷ 4200001  “ab”  monitors regions  fences\n"))
  }

  /// The command itself is no client that a person asks for.
  @Test func theOwnConnectionIsNotListed() {
    var status = status
    status.clients[0].processID = 42
    #expect(
      String(decoding: StatusTable.text(status, own: 43, .pipe), as: UTF8.self).contains("Clients     locationctl"))
    let text = String(decoding: StatusTable.text(status, own: 42, .pipe), as: UTF8.self)
    #expect(text.contains("  Clients   no program is connected\n") && !text.contains("locationctl (42)"), "\(text)")
  }

  /// However long the names are, no line is wider than the terminal.
  @Test(arguments: [40, 80, 120], [true, false]) func everyLineFits(width: Int, usesUnicode: Bool) {
    var status = status
    status.clients[0].name = String(repeating: "very long name ", count: 9)
    var device = DeviceDescription(
      id: "usb-1546-01a9-\(String(repeating: "9", count: 60))",
      path: "/dev/serial/by-id/usb-u-blox_AG_u-blox_GNSS_receiver-if00",
      kind: .receiver, state: .fixing)
    (device.chip, device.baud, device.protocolName) = ("u-blox 9", 38400, "nmea+ubx")
    status.devices = [device]
    var log = LogDescription(name: "東京への旅", isRunning: true, options: LogOptions(), bytes: 262_144)
    log.problem = .noRoom(free: 300_000, needed: 312_144)
    status.logs = [log]
    let look = Presentation(usesColor: false, usesUnicode: usesUnicode, width: width, showsLocalTime: false)
    log.distance = Meters(123_456)
    status.logs.append(log)
    let lines = String(decoding: StatusTable.text(status, at: SampleFix.full, look), as: UTF8.self).split(
      separator: "\n")
    for line in lines { #expect(TextWidth.columns(of: String(line)) <= width, "\(line)") }
  }

  @Test func whatIsHeldBackAndWhoIsInTheBackgroundIsNamed() throws {
    var status = status
    status.clients[0].paused = 1
    status.clients[0].undecided = 2
    status.backgroundCount = 2
    status.background = LocationUser(ClientIdentity(userID: 4_200_001), name: "walk")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(StatusJSON.line(status))) as? [String: Any])
    let client = try #require((object["clients"] as? [[String: Any]])?.first)
    #expect(client["paused"] as? Int == 1 && client["undecided"] as? Int == 2 && client["resting"] == nil)
    let background = try #require(object["background"] as? [String: Any])
    #expect(background["count"] as? Int == 2 && background["selfNamed"] as? String == "walk")
    #expect(background["who"] as? String == "4200001")
    let text = String(decoding: StatusTable.text(status, .pipe), as: UTF8.self)
    #expect(text.contains("updates (paused), 2 × updates (waiting for access)"), "\(text)")
  }

  @Test func theJSONHasKeysForAll() throws {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(StatusJSON.line(status))) as? [String: Any])
    #expect(object["services"] as? Bool == false && object["indicator"] as? String == "hollow")
    let client = try #require((object["clients"] as? [[String: Any]])?.first)
    #expect(client["who"] as? String == "4200001" && client["level"] as? String == "whenInUse")
    #expect(client["presence"] as? String == "background")
    let usage = try #require(object["usage"] as? [[String: Any]])
    #expect(usage.map { $0["mark"] as? String } == ["now", "recently", "fences"])
    #expect(
      usage[0]["uses"] as? [String] == ["location", "significantChanges"] && usage[0]["usedFor"] as? Double == 42)
    #expect(usage[1]["usedAgo"] as? Double == 7300)
  }
}
