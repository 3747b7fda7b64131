import BusMessages
import GeoClueBridge
import Geodesy
import TestSupport
import Testing

@Suite struct ObjectTests {
  @Test func aConnectionHasOneClientUntilItIsDeleted() {
    var run = BridgeRun()
    #expect(run.manager("GetClient") == [.answer(run.number, [.objectPath(BridgeRun.path(1))])])
    #expect(run.manager("GetClient") == [.answer(run.number, [.objectPath(BridgeRun.path(1))])])
    #expect(run.manager("CreateClient") == [.answer(run.number, [.objectPath(BridgeRun.path(2))])])
    #expect(run.manager("GetClient", from: ":1.8") == [.answer(run.number, [.objectPath(BridgeRun.path(3))])])
    #expect(run.manager("DeleteClient", [.objectPath(BridgeRun.path(1))]) == [.answer(run.number, [])])
    #expect(run.manager("GetClient") == [.answer(run.number, [.objectPath(BridgeRun.path(4))])])
  }

  @Test func theNumberOfClientsIsLimited() {
    var run = BridgeRun()
    for _ in 0..<64 { _ = run.manager("CreateClient") }
    #expect(run.manager("CreateClient") == [.fail(run.number, .limitsExceeded("There are too many clients"))])
    for number in 0..<64 { _ = run.manager("CreateClient", from: ":2.\(number)") }
    #expect(
      run.manager("CreateClient", from: ":3.1") == [.fail(run.number, .limitsExceeded("There are too many clients"))])
    #expect(run.manager("CreateClient", from: ":4.1", userID: 1001).count == 1)
  }

  /// Another connection gets nothing of a client: no call, no property, no signal.
  @Test func foreignCallersAreRefused() {
    var run = BridgeRun.active()
    _ = run.handle(.fix(client: 1, BridgeRun.fix(0)))
    let client = BridgeRun.path(1)
    let location = client + "/Location/0"
    let denied = BusError.accessDenied("Access denied")
    #expect(run.client("Start", from: ":1.8") == [.fail(run.number, denied)])
    #expect(run.client("Stop", from: ":1.8") == [.fail(run.number, denied)])
    #expect(run.get(client, "Client", "Location", from: ":1.8") == [.fail(run.number, denied)])
    #expect(run.get(location, "Location", "Latitude", from: ":1.8") == [.fail(run.number, denied)])
    for path in [client, location] {
      #expect(
        run.call(path, StandardInterface.introspectable, "Introspect", from: ":1.8") == [.fail(run.number, denied)])
    }
    // To delete it does nothing, and does not tell whether it exists.
    #expect(run.manager("DeleteClient", [.objectPath(client)], from: ":1.8") == [.answer(run.number, [])])
    #expect(run.get(location, "Location", "Latitude").count == 1)
    for case .emit(let signal, to: nil) in run.handle(.fix(client: 1, BridgeRun.fix(1))) {
      Issue.record("everyone sees \(signal)")
    }
  }

  @Test func aLocationHasAllProperties() throws {
    var run = BridgeRun.active()
    var fix = BridgeRun.fix(0)
    fix.time = GNSSTime(nanosecondsSince1970: 1_700_000_000_123_456_789)
    _ = run.handle(.fix(client: 1, fix))
    let actions = run.call(
      BridgeRun.path(1) + "/Location/0", StandardInterface.properties, "GetAll",
      [.string("org.freedesktop.GeoClue2.Location")])
    guard case .answer(_, let values)? = actions.first else {
      Issue.record("no answer: \(actions)")
      return
    }
    let properties = try #require(values.first?.entries)
    #expect(properties.count == 8)
    #expect(properties["Latitude"] == .double(50))
    #expect(properties["Accuracy"] == .double(5))
    #expect(properties["Altitude"] == .double(-1.7976931348623157e308))
    #expect(properties["Speed"] == .double(-1))
    #expect(properties["Heading"] == .double(-1))
    #expect(properties["Description"] == .string(""))
    #expect(properties["Timestamp"] == .structure([.uint64(1_700_000_000), .uint64(123_456)]))
  }

  @Test func locationsStayForTenSecondsAfterTheyWereReplaced() {
    var run = BridgeRun.active()
    for second in 0..<4 {
      run.now = .start + .seconds(second)
      _ = run.handle(.fix(client: 1, BridgeRun.fix(Double(second))))
    }
    let oldest = BridgeRun.path(1) + "/Location/0"
    // It was replaced after a second.
    run.now = .start + .seconds(11)
    #expect(run.get(oldest, "Location", "Latitude") == [.answer(run.number, [.variant(.double(50))])])
    run.now = .start + .seconds(12)
    #expect(run.get(oldest, "Location", "Latitude") == [.fail(run.number, .unknownObject(oldest))])
    // The last two stay.
    run.now = .start + .seconds(3600)
    #expect(
      run.get(BridgeRun.path(1) + "/Location/2", "Location", "Latitude") == [
        .answer(run.number, [.variant(.double(50))])
      ])
  }

  @Test func bothThresholdsHold() {
    var run = BridgeRun.active()
    _ = run.set("DistanceThreshold", .uint32(100))
    _ = run.set("TimeThreshold", .uint32(10))
    #expect(run.handle(.fix(client: 1, BridgeRun.fix(0))).count == 2)
    #expect(run.handle(.fix(client: 1, BridgeRun.fix(5, north: 200))) == [])
    #expect(run.handle(.fix(client: 1, BridgeRun.fix(10, north: 50))) == [])
    #expect(run.handle(.fix(client: 1, BridgeRun.fix(11, north: 150))).count == 2)
  }

  @Test func onlySomePropertiesCanBeSet() {
    var run = BridgeRun()
    _ = run.manager("GetClient")
    #expect(run.set("Active", .boolean(true)) == [.fail(run.number, .readOnly("Active"))])
    #expect(run.set("Secret", .boolean(true)) == [.fail(run.number, .unknownProperty("Secret"))])
    #expect(
      run.set("DesktopId", .uint32(1)) == [.fail(run.number, .invalidArguments("The type of DesktopId is s"))])
    #expect(
      run.set("DesktopId", .string(String(repeating: "a", count: 256))) == [
        .fail(run.number, .invalidArguments("The desktop ID is too long"))
      ])
  }

  @Test func unknownNamesAreErrors() {
    var run = BridgeRun()
    _ = run.manager("GetClient")
    #expect(run.manager("Explode") == [.fail(run.number, .unknownMethod("Explode"))])
    #expect(
      run.call("/org/freedesktop/GeoClue2/Client/01", "org.freedesktop.GeoClue2.Client", "Start") == [
        .fail(run.number, .unknownObject("/org/freedesktop/GeoClue2/Client/01"))
      ])
    #expect(
      run.manager("DeleteClient", [.string("x")]) == [
        .fail(run.number, .invalidArguments("DeleteClient takes (o)"))
      ])
    #expect(
      run.call(GeoClue.managerPath, "org.example", "GetClient") == [.fail(run.number, .unknownInterface("org.example"))]
    )
  }

  @Test func itEndsWithoutClients() {
    var run = BridgeRun()
    #expect(run.bridge.nextDeadline == .start + .seconds(60))
    _ = run.manager("GetClient")
    #expect(run.bridge.nextDeadline == nil)
    run.now = .start + .seconds(100)
    #expect(run.handle(.left(":1.7")) == [])
    #expect(run.bridge.nextDeadline == .start + .seconds(160))
    run.now = .start + .seconds(159)
    #expect(run.handle(.wake) == [])
    run.now = .start + .seconds(160)
    #expect(run.handle(.wake) == [.exit])
  }

  @Test func theEndOfAConnectionEndsItsClients() {
    var run = BridgeRun.active()
    #expect(run.handle(.left(":1.7")) == [.close(client: 1), BridgeRun.used(false)])
  }

  @Test func itsDescriptionNamesEveryMember() throws {
    var run = BridgeRun()
    let actions = run.call(GeoClue.managerPath, StandardInterface.introspectable, "Introspect")
    guard case .answer(_, let values)? = actions.first else {
      Issue.record("no answer: \(actions)")
      return
    }
    let text = try #require(values.first?.text)
    for name in ["GetClient", "CreateClient", "DeleteClient", "AddAgent", "InUse", "AvailableAccuracyLevel"] {
      #expect(text.contains("name=\"\(name)\""))
    }
  }
}
