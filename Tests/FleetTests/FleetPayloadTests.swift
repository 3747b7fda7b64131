import Fleet
import FleetDestinations
import Geodesy
import LocationPolicy
import NetworkSources
import Testing

/// Payloads, field by field, as the servers read them.
@Suite struct FleetPayloadTests {
  private static func fix() throws -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_790_000_000_900_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 0),
      coordinate: try #require(Coordinate(checkingLatitude: 52.123_456_78, longitude: -0.000_000_14)),
      horizontalRadius68: Meters(2.1), kind: .threeDimensional, technologies: .gnss)
    fix.heightAboveMeanSeaLevel = Meters(100.4)
    fix.verticalRadius68 = Meters(0.2)
    fix.speedMetersPerSecond = 10
    fix.course = Angle(degrees: 359.7)
    return fix
  }

  private static func record(_ fix: PositionFix, entry: Int = 2) -> FleetRecord {
    FleetRecord(place: FleetPlace(segment: 1, block: 2, entry: entry), box: 0x1A2B, content: .fix(fix))
  }

  private static func destination(_ address: String, _ change: (inout FleetSettings) -> Void = { _ in }) throws
    -> FleetDestination
  {
    var settings = FleetSettings()
    (settings.user, settings.device, settings.eventUsers) = ("home", "van", [1000])
    change(&settings)
    return try FleetDestination(name: "x", address: FleetAddress(parsing: address), settings: settings)
  }

  private func message(_ destination: FleetDestination, _ records: [FleetRecord], _ context: FleetContext? = nil)
    -> FleetMessage?
  {
    FleetRenderer(destination).message(records, context, written: nil)
  }

  private func text(_ message: FleetMessage?) -> String { String(decoding: message?.body ?? [], as: UTF8.self) }

  // MARK: - OwnTracks

  @Test func aLocationHasIntegersOnlyAndAnAccuracyOfAtLeastOne() throws {
    let message = message(try Self.destination("mqtts://h"), [Self.record(try Self.fix())])
    #expect(
      text(message)
        == #"{"_type":"location","lat":52.1234568,"lon":-0.0000001,"tst":1790000000,"acc":3,"alt":100,"vac":1,"vel":36,"cog":0,"#
        + #""tid":"an","m":2,"_id":"00001a2b-100002802"}"#)
    #expect(message?.target == "owntracks/home/van" && message?.method == .publish && message?.isRetained == false)
    #expect(message?.id == 0x1_0000_2802 && message?.qos == .atLeastOnce && message?.kind == .fix)
  }

  @Test func whatIsUnknownIsAbsent() throws {
    var fix = try Self.fix()
    fix.kind = .twoDimensional
    (fix.speedMetersPerSecond, fix.course, fix.horizontalRadius68) = (0, nil, Meters(0.001))
    let message = message(try Self.destination("mqtts://h") { $0.interval = .seconds(300) }, [Self.record(fix)])
    #expect(
      text(message)
        == #"{"_type":"location","lat":52.1234568,"lon":-0.0000001,"tst":1790000000,"acc":1,"vel":0,"tid":"an","m":1,"#
        + #""_id":"00001a2b-100002802"}"#)
  }

  @Test func theMachinesStateAndItsRegions() throws {
    var context = FleetContext()
    (context.reason, context.battery, context.batteryState) = (.user, 81, .charging)
    context.enter("Ho\"me\n", id: "1f")
    let with = try Self.destination("mqtts://h") { $0.sendsEvents = true }
    let without = try Self.destination("mqtts://h")
    let record = Self.record(try Self.fix())
    let expected = #""batt":81,"bs":2,"t":"u","tid":"an","inregions":["Ho\"me\n"],"inrids":["1f"],"m":"#
    #expect(text(message(with, [record], context)).contains(expected))
    // The names of regions are sent only where the user wants events.
    #expect(!text(message(without, [record], context)).contains("regions"))
  }

  @Test func overHTTPTheTopicIsInTheMessageAndTheTimeOfWritingToo() throws {
    let destination = try Self.destination("owntracks-http+https://h/pub?u=home&d=van")
    let message = FleetRenderer(destination).message(
      [Self.record(try Self.fix())], nil, written: GNSSTime(nanosecondsSince1970: 1_790_000_060_000_000_000))
    #expect(text(message).contains(#""tst":1790000000,"created_at":1790000060,"acc":3"#))
    #expect(text(message).hasSuffix(#""topic":"owntracks/home/van"}"#))
    #expect(message?.method == .post && message?.target == "/pub?u=home&d=van")
    #expect(message?.contentType == "application/json")
  }

  private static func crossing() throws -> FleetRecord {
    let crossing = FleetCrossing(
      region: "work", isEntry: false, time: GNSSTime(nanosecondsSince1970: 1_790_000_100_000_000_000),
      addedAt: GNSSTime(nanosecondsSince1970: 1_780_000_000_000_000_000), coordinate: try fix().coordinate,
      radius68: Meters(0.4))
    return FleetRecord(
      place: FleetPlace(segment: 1, before: 3, event: 0), box: 0xFFFF_FFFF, content: .event(.crossing(crossing)))
  }

  @Test func aTransition() throws {
    let record = try Self.crossing()
    let mqtt = message(try Self.destination("mqtts://h") { $0.sendsEvents = true }, [record])
    #expect(
      text(mqtt).hasPrefix(#"{"_type":"transition","event":"leave","desc":"work","rid":""#)
        && text(mqtt).hasSuffix(
          #","wtst":1780000000,"tst":1790000100,"lat":52.1234568,"lon":-0.0000001,"acc":1,"tid":"an","t":"c","#
            + #""_id":"ffffffff-100003000"}"#)
    )
    #expect(mqtt?.target == "owntracks/home/van/event" && mqtt?.kind == .event)
    let http = message(
      try Self.destination("owntracks-http+https://h/pub") { $0.sendsEvents = true }, [record])
    #expect(text(http).hasSuffix(#","topic":"owntracks/home/van/event"}"#))
    // Without --events, nothing is sent; where the protocol has no form for it, the option is refused.
    #expect(message(try Self.destination("mqtts://h"), [record]) == nil)
    for kind in ["osmand", "overland", "http"] {
      #expect(message(try Self.destination("\(kind)+https://h/"), [record]) == nil)
      #expect(throws: FleetSettingsError.self) { try Self.destination("\(kind)+https://h/") { $0.sendsEvents = true } }
    }
  }

  @Test func aTemplateCanBecomeLongerThanAMessage() throws {
    let place = FleetPlace(segment: 0x7FFF_FFFF, block: 0xF_FFFF, entry: 2047)
    let record = FleetRecord(place: place, box: .max, content: .fix(try Self.fix()))
    func isWithinLimits(_ count: Int) throws -> Bool {
      let template = String(repeating: "{{id}}", count: count)
      return try #require(message(try Self.destination("https://h/") { $0.template = template }, [record]))
        .isWithinLimits
    }
    #expect(try isWithinLimits(100))
    #expect(try !isWithinLimits(FleetMessage.longestBody / 4 / 6))
  }

  @Test func aTestIsNeitherAPositionNorTheEndOfTheConnection() {
    let time = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000)
    #expect(String(decoding: OwnTracksPayload.test(at: time), as: UTF8.self) == #"{"_type":"test","tst":1790000000}"#)
    #expect(String(decoding: OwnTracksPayload.test(at: nil), as: UTF8.self) == #"{"_type":"test"}"#)
  }

  @Test func aVisitIsNoPositionForAnyServer() throws {
    let arrival = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000)
    let visit = Visit(coordinate: try Self.fix().coordinate, horizontalRadius68: Meters(25), arrival: arrival)
    let record = FleetRecord(
      place: FleetPlace(segment: 1, before: 3, event: 1), box: 1, content: .event(.visit(visit)))
    let message = message(try Self.destination("mqtts://h") { $0.sendsVisits = true }, [record])
    #expect(
      text(message)
        == #"{"_type":"visit","latitude":52.1234568,"longitude":-0.0000001,"horizontalAccuracy":25.00,"#
        + #""arrival":"2026-09-21T14:13:20.000Z","_id":"00000001-100003001"}"#)
    #expect(message?.target == "owntracks/home/van/visit")
  }

  // MARK: - Others

  @Test func osmAndHasKnots() throws {
    let record = Self.record(try Self.fix())
    let message = message(try Self.destination("osmand+https://h:5055"), [record])
    #expect(
      message?.target
        == "/?id=van&timestamp=1790000000&lat=52.1234568&lon=-0.0000001&accuracy=2.1&altitude=100.4&speed=19.44&bearing=0"
        + "&valid=true&seq=00001a2b-100002802")
    #expect(message?.method == .get && message?.body == [] && message?.contentType == nil)
    let own = self.message(try Self.destination("osmand+https://h:5055/?id=7"), [record])
    #expect(own?.target.hasPrefix("/?id=7&timestamp=") ?? false)
  }

  @Test func overlandHasBatchesOfFeatures() throws {
    let destination = try Self.destination("overland+https://h/api")
    #expect(FleetRenderer(destination).mostRecords == 100)
    var later = try Self.fix()
    (later.kind, later.speedMetersPerSecond, later.course) = (.twoDimensional, nil, nil)
    var context = FleetContext()
    context.battery = 50
    let message = message(destination, [Self.record(try Self.fix()), Self.record(later, entry: 3)], context)
    #expect(
      text(message)
        == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.0000001,52.1234568]},"#
        + #""properties":{"timestamp":"2026-09-21T14:13:20Z","horizontal_accuracy":3,"altitude":100,"vertical_accuracy":1,"#
        + #""speed":10,"course":0,"device_id":"van","unique_id":"00001a2b-100002802"}},"#
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.0000001,52.1234568]},"#
        + #""properties":{"timestamp":"2026-09-21T14:13:20Z","horizontal_accuracy":3,"battery_level":0.5,"#
        + #""device_id":"van","unique_id":"00001a2b-100002803"}}]}"#)
  }

  @Test func aTemplate() throws {
    let destination = try Self.destination("https://h/in") {
      $0.template =
        #"{"p":[{{longitude}},{{latitude}}],"t":{{timestamp}},"v":{{verticalAccuracy}},"b":{{battery}},"i":{{id}}}"#
    }
    #expect(
      text(message(destination, [Self.record(try Self.fix())]))
        == #"{"p":[-0.0000001,52.1234568],"t":"2026-09-21T14:13:20.900Z","v":0.20,"b":null,"i":"00001a2b-100002802"}"#)
    #expect(FleetTemplate.unknownName(in: FleetTemplate.standard) == nil)
    #expect(FleetTemplate.unknownName(in: "{{latitude}} {{color}}") == "color")
    #expect(
      text(message(try Self.destination("https://h"), [Self.record(try Self.fix())])).hasPrefix(#"{"id":"00001a2b-"#))
  }

  // MARK: - Home Assistant

  @Test func discoveryDescribesATrackerAndItsSensors() throws {
    let settings = try Self.destination("mqtts://h") { $0.homeAssistant = "homeassistant" }.settings
    let config = String(
      decoding: HomeAssistantPayload.config(settings, .init(version: "1.2", model: "Raspberry Pi 4")), as: UTF8.self)
    #expect(HomeAssistantPayload.configTopic(settings) == "homeassistant/device/locationd_home_van/config")
    for part in [
      #""dev":{"ids":["locationd_home_van"],"name":"van","mf":"swift-corelocation","mdl":"Raspberry Pi 4","sw":"1.2"}"#,
      #""avty_t":"fleet/home-van/available""#,
      #""position":{"p":"device_tracker","unique_id":"locationd_home_van","name":null,"source_type":"gps","#
        + #""json_attributes_topic":"fleet/home-van/position"}"#,
      #""device_class":"timestamp""#, #""device_class":"battery","unit_of_measurement":"%""#,
    ] {
      #expect(config.contains(part), "\(part)")
    }
    #expect(try HomeAssistantPayload.configTopic(Self.destination("mqtts://h").settings) == nil)
    #expect(!config.contains(#""region""#))
    var events = settings
    events.sendsEvents = true
    let eventful = String(
      decoding: HomeAssistantPayload.config(events, .init(version: "1.2", model: nil)), as: UTF8.self)
    #expect(eventful.contains(#""state_topic":"owntracks/home/van/event","event_types":["enter","leave"]"#))
  }

  @Test func theStateOfTheTracker() throws {
    var health = FleetHealth()
    health.waiting = 7
    #expect(
      String(decoding: HomeAssistantPayload.state(try Self.fix(), health), as: UTF8.self)
        == #"{"latitude":52.1234568,"longitude":-0.0000001,"gps_accuracy":3,"altitude":100.40,"speed":10.00,"course":359.7,"#
        + #""timestamp":"2026-09-21T14:13:20.900Z","outbox":7,"battery":null}"#)
  }

  @Test func theLastWillAndTheStateOfTheMachine() {
    let time = GNSSTime(nanosecondsSince1970: 1_790_000_000_900_000_000)
    #expect(
      String(decoding: OwnTracksPayload.lastWill(connectedAt: time), as: UTF8.self)
        == #"{"_type":"lwt","tst":1790000000}"#)
    var health = FleetHealth()
    (health.version, health.waiting, health.isClockConfirmed) = ("1.2", 3, true)
    health.lost = FleetLoss(count: 2, from: time, to: time + .seconds(60))
    #expect(
      String(decoding: OwnTracksPayload.status(health, identifier: "1"), as: UTF8.self)
        == #"{"_type":"status","_id":"1","linux":{"version":"1.2","outbox":3,"#
        + #""lost":{"from":1790000000,"to":1790000060,"count":2},"clock":"confirmed"}}"#)
  }

  // MARK: - Places and stored forms

  @Test func placesAreInOrder() {
    let places = [
      FleetPlace.start, FleetPlace(segment: 1, before: 16, event: 0), FleetPlace(segment: 1, before: 16, event: 2047),
      FleetPlace(segment: 1, block: 16, entry: 0), FleetPlace(segment: 1, block: 16, entry: 999),
      FleetPlace(segment: 1, before: 17, event: 3), FleetPlace(segment: 1, block: 17, entry: 0),
      FleetPlace(segment: 2, before: 0, event: 0), FleetPlace(segment: 0x7FFF_FFFF, block: 0xF_FFFF, entry: 2047),
    ]
    #expect(places == places.sorted() && Set(places).count == places.count)
    #expect(places.allSatisfy { $0.rawValue & FleetMessage.stateBit == 0 })
    #expect(places[4].segment == 1 && places[4].block == 16 && places[4].entry == 999 && places[4].event == nil)
    #expect(places[5].block == 17 && places[5].entry == nil && places[5].event == 3)
  }

  @Test func eventsAndMemoryAreReadAsTheyAreWritten() throws {
    guard case .event(let crossing) = try Self.crossing().content else { return }
    let visit = FleetEvent.visit(
      Visit(
        coordinate: try Self.fix().coordinate, horizontalRadius68: Meters(3),
        arrival: nil, departure: GNSSTime(nanosecondsSince1970: 5)))
    for event in [crossing, visit] {
      #expect(FleetEvent(bytes: event.bytes[...]) == event && event.bytes.count <= FleetEvent.longestEvent)
      for count in 0..<event.bytes.count { #expect(FleetEvent(bytes: event.bytes.prefix(count)) == nil) }
      #expect(FleetEvent(bytes: (event.bytes + [0])[...]) == nil)
    }
    var memory = FleetMemory(box: 7, machine: "abc")
    #expect(FleetMemory(memory.text) == memory)
    (memory.pause, memory.setAside, memory.isEnding) = (.until(GNSSTime(nanosecondsSince1970: 9)), 2, true)
    memory.lost = FleetLoss(count: 3, from: GNSSTime(nanosecondsSince1970: 1), to: GNSSTime(nanosecondsSince1970: 2))
    #expect(FleetMemory(memory.text) == memory)
    memory.pause = .indefinitely
    #expect(FleetMemory(memory.text + "later 5\n") == memory)
    #expect(FleetMemory("box x\nmachine a\n") == nil)
  }
}
