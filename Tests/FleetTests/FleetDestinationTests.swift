import FleetDestinations
import Geodesy
import LocationPolicy
import NetworkSources
import Regions
import Testing

/// Addresses and settings of destinations.
@Suite struct FleetDestinationTests {
  @Test(arguments: [
    "mqtts://mqtt.example.org", "mqtt://localhost", "mqtts://[2001:db8::1]:8884", "https://example.org/in?key=1",
    "owntracks-http+https://example.org/pub", "osmand+https://example.org:5055/?id=7",
    "overland+http://127.0.0.1:8080/",
  ])
  func addressesAreReadAsTheyAreWritten(text: String) throws {
    let address = try FleetAddress(parsing: text)
    #expect(address.text == text)
    #expect(try FleetAddress(parsing: address.text) == address)
  }

  @Test func partsOfAnAddress() throws {
    let address = try FleetAddress(parsing: "https://example.org/in?api_key=s3cret", kind: .overland)
    #expect(address.kind == .overland && address.isEncrypted && address.server.port == 443)
    #expect(address.path == "/in?api_key=s3cret")
    #expect(address.publicText == "overland+https://example.org/…")
    #expect(try FleetAddress(parsing: "mqtt://127.0.0.1:1884").isLoopback)
    #expect(try !FleetAddress(parsing: "mqtt://192.0.2.1").isLoopback)
    #expect(try FleetAddress(parsing: "https://example.org").path == "/")
    #expect(try FleetAddress(parsing: "https://example.org?x=1").path == "/?x=1")
  }

  @Test(arguments: [
    ("", FleetSettingsError.badAddress), ("mqtt:", .badAddress), ("mqtt://", .badAddress), ("ftp://h/", .badAddress),
    ("mqtts://h/topic", .badAddress), ("mqtt+https://h/", .badAddress), ("osmand+mqtt://h", .badAddress),
    ("https://h/a b", .badAddress), ("https://h/\u{1B}[2J", .badAddress), ("https://h/#x", .badAddress),
    ("mqtts://user:pw@h", .secretInAddress), ("https://h:0/", .badAddress),
  ])
  func othersAreRefused(text: String, error: FleetSettingsError) {
    #expect(throws: error) { try FleetAddress(parsing: text) }
  }

  private static func everything() throws -> FleetDestination {
    var settings = FleetSettings()
    (settings.user, settings.device, settings.trackerID) = ("home", "van", "VN")
    settings.topic = "owntracks/home/van"
    (settings.sendsFixes, settings.sendsEvents, settings.sendsVisits) = (false, true, true)
    settings.eventUsers = [0, 1000]
    settings.healthInterval = .seconds(600)
    (settings.interval, settings.parkedInterval) = (.seconds(5), nil)
    (settings.distanceFilter, settings.desiredRadius68) = (Meters(12.5), Meters(100))
    settings.homeAssistant = "homeassistant"
    let center = try #require(Coordinate(checkingLatitude: 52.1, longitude: -0.30000000000000004))
    let corners = try [(1.5, 2.0), (1.5, 2.5), (2.0, 2.25)].map {
      try #require(Coordinate(checkingLatitude: $0.0, longitude: $0.1))
    }
    settings.hidden = [
      HiddenRegion(name: "my home", shape: .circle(try CircleShape(center: center, radius: Meters(300)))),
      HiddenRegion(name: "work", shape: .polygon(try PolygonShape(corners: corners))),
    ]
    settings.schedule = FleetSchedule("Mo-Fr 07:00-18:00")
    settings.isReduced = true
    settings.retention = .days(30)
    (settings.qos, settings.retains, settings.rate, settings.keep) = (.exactlyOnce, true, 100, 5)
    settings.batch = .seconds(900)
    (settings.allowsUnencrypted, settings.acceptsUnheard) = (true, true)
    settings.account = "van 1"
    settings.credentials.authorities = .file("/etc/ssl/own ca.pem")
    settings.credentials.certificate = .file("/etc/locationd/van.pem")
    settings.credentials.key = .systemd("van.key")
    settings.credentials.password = .systemd("van")
    settings.commands = .reports
    return try FleetDestination(
      name: "home", address: FleetAddress(parsing: "mqtts://broker.example.org"), settings: settings)
  }

  @Test func settingsAreReadAsTheyAreWritten() throws {
    let all = try Self.everything()
    #expect(try FleetDestination(text: all.text) == all)
    var other = FleetSettings()
    other.template = "{\n  \"a\\b\": {{latitude}}\r\n}"
    other.credentials.password = .file("/etc/token")
    let plain = try FleetDestination(name: "x", address: FleetAddress(parsing: "https://h/"), settings: other)
    #expect(try FleetDestination(text: plain.text) == plain)
    var encrypted = FleetSettings()
    encrypted.credentials.encryptionSecret = .file("/etc/secret")
    let secret = try FleetDestination(name: "x", address: FleetAddress(parsing: "mqtts://h"), settings: encrypted)
    #expect(try FleetDestination(text: secret.text) == secret)
    // Defaults are not written, so that a later version may have others.
    #expect(
      try FleetDestination(name: "a", address: FleetAddress(parsing: "mqtts://h"), settings: FleetSettings()).text
        == "name a\naddress mqtts://h\n")
  }

  @Test(arguments: [
    ("address mqtts://h", FleetSettingsError.missing(setting: "name")), ("name a", .missing(setting: "address")),
    ("name a/b\naddress mqtts://h", .badName("a/b")), ("name -a\naddress mqtts://h", .badName("-a")),
    ("name a\naddress mqtt://192.0.2.1", .unencrypted),
    ("name a\naddress mqtts://h\ncolor red", .unknownSetting("color")),
    ("name a\naddress mqtts://h\nrate 5\nrate 6", .badValue(setting: "rate")),
    ("name a\naddress mqtts://h\nrate 0", .badValue(setting: "rate")),
    ("name a\naddress mqtts://h\nqos 0", .badValue(setting: "qos")),
    ("name a\naddress mqtts://h\nuser a+b", .badValue(setting: "user")),
    ("name a\naddress mqtts://h\ntopic a/#", .badValue(setting: "topic")),
    ("name a\naddress mqtts://h\ntid ABC", .badValue(setting: "tid")),
    ("name a\naddress mqtts://h\nhide 1,2,-3 x", .badValue(setting: "hide")),
    ("name a\naddress mqtts://h\nhide 1,2;3,4 x", .badValue(setting: "hide")),
    ("name a\naddress mqtts://h\nschedule always", .badValue(setting: "schedule")),
    ("name a\naddress mqtts://h\npassword secret", .badValue(setting: "password")),
    ("name a\naddress mqtts://h\ncert /c", .missing(setting: "key")),
    ("name a\naddress mqtts://h\ncommands 2", .badValue(setting: "commands")),
    ("name a\naddress mqtts://h\nhome-assistant ha\nencrypt /s", .excluded("home-assistant", "encrypt")),
    ("name a\naddress mqtts://h\nevents yes", .missing(setting: "events-of")),
    ("name a\naddress mqtts://h\nevents-of 1,x", .badValue(setting: "events-of")),
    ("name a\naddress https://h\nevents yes\nevents-of 1", .notForKind(setting: "events", .http)),
    ("name a\naddress https://h\ncommands 1", .notForKind(setting: "commands", .http)),
    ("name a\naddress https://h\nretain yes", .notForKind(setting: "retain", .http)),
    ("name a\naddress mqtts://h\ntemplate {}", .notForKind(setting: "template", .mqtt)),
    ("name a\naddress mqtts://h\nhealth 1", .badValue(setting: "health")),
    ("name a\naddress owntracks-http+https://h\nhealth 600", .notForKind(setting: "health", .ownTracksHTTP)),
    ("name a\naddress mqtts://h\nretention 7MB", .badValue(setting: "retention")),
  ])
  func otherSettingsAreRefused(text: String, error: FleetSettingsError) {
    #expect(throws: error) { try FleetDestination(text: text) }
  }

  @Test func aChangeNamesWhatBecomesDifferent() throws {
    let all = try Self.everything()
    var settings = FleetSettings()
    settings.rate = 10
    // The usual rate is a change as well, and a key alone is the default.
    let changed = try all.changed(by: settings.text(of: ["rate", "parked-interval"]) + "hide\nreduced\n")
    #expect(changed.settings.rate == 10 && changed.settings.parkedInterval == .seconds(1800))
    #expect(changed.settings.hidden.isEmpty && !changed.settings.isReduced)
    #expect(changed.settings.schedule == all.settings.schedule && changed.address == all.address)
    #expect(try all.changed(by: "") == all)
    #expect(throws: FleetSettingsError.unknownSetting("color")) { try all.changed(by: "color\n") }
    let lines = all.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(Set(lines).subtracting(FleetDestination.keys) == ["name"])
  }

  @Test(arguments: ["relative", "credential:", "credential:../x", "credential:.", "/a\nb"])
  func otherCredentialsAreRefused(text: String) { #expect(FleetCredential(text) == nil) }

  @Test func aPauseEnds() {
    let now = GNSSTime(nanosecondsSince1970: 1_000)
    #expect(!FleetPause.none.isPaused(at: now) && FleetPause.indefinitely.isPaused(at: now))
    #expect(FleetPause.until(now + .nanoseconds(1)).isPaused(at: now) && !FleetPause.until(now).isPaused(at: now))
  }
}
