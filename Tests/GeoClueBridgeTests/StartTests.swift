import BusMessages
import GeoClueBridge
import Geodesy
import TestSupport
import Testing

@Suite struct StartTests {
  /// The order that programs get from GeoClue 2.6, with its signals to the owner alone.
  @Test func signalsComeInTheOrderOfGeoClue() {
    var run = BridgeRun()
    #expect(run.manager("GetClient") == [.answer(run.number, [.objectPath(BridgeRun.path(1))])])
    #expect(run.set("DesktopId", .string("maps")) == [.answer(run.number, [])])
    #expect(run.set("RequestedAccuracyLevel", .uint32(8)) == [.answer(run.number, [])])
    #expect(run.client("Start") == [.open(client: 1, owner: ":1.7", name: "maps", isReduced: false)])
    let start = run.number
    #expect(
      run.handle(.authorization(client: 1, .allowed)) == [
        .answer(start, []),
        .emit(
          BridgeRun.changed([
            ("DesktopId", .string("maps")), ("RequestedAccuracyLevel", .uint32(8)), ("Active", .boolean(true)),
          ]), to: ":1.7"), BridgeRun.used(true), .update(client: 1, isReduced: false),
      ])
    let first = BridgeRun.path(1) + "/Location/0"
    #expect(
      run.handle(.fix(client: 1, BridgeRun.fix(0))) == [
        .emit(BridgeRun.updated("/", first), to: ":1.7"),
        .emit(BridgeRun.changed([("Location", .objectPath(first))]), to: ":1.7"),
      ])
    let second = BridgeRun.path(1) + "/Location/1"
    #expect(
      run.handle(.fix(client: 1, BridgeRun.fix(1))) == [
        .emit(BridgeRun.updated(first, second), to: ":1.7"),
        .emit(BridgeRun.changed([("Location", .objectPath(second))]), to: ":1.7"),
      ])
    #expect(
      run.client("Stop") == [
        .answer(run.number, []), .close(client: 1),
        .emit(BridgeRun.changed([("Active", .boolean(false))]), to: ":1.7"), BridgeRun.used(false),
      ])
  }

  @Test func withoutDesktopIDNothingStarts() {
    var run = BridgeRun()
    _ = run.manager("GetClient")
    #expect(
      run.client("Start") == [.fail(run.number, .accessDenied("'DesktopId' property must be set"))])
  }

  @Test func anotherStartOfAnActiveClientTellsItsPositionAgain() {
    var run = BridgeRun.active()
    _ = run.handle(.fix(client: 1, BridgeRun.fix(0)))
    let place = BridgeRun.path(1) + "/Location/0"
    #expect(
      run.client("Start") == [.answer(run.number, []), .emit(BridgeRun.updated(place, place), to: ":1.7")])
  }

  /// The answer does not wait for a person who is not there.
  @Test func withoutAnAgentTheAnswerComesAtOnce() {
    var run = BridgeRun.ready()
    _ = run.client("Start")
    let start = run.number
    #expect(run.handle(.authorization(client: 1, .undecided(isOpen: false))) == [.ask(client: 1)])
    #expect(
      run.handle(.asked(client: 1)) == [
        .fail(start, .accessDenied("'maps' has no access to the location, and nobody can be asked")),
        .close(client: 1), .emit(BridgeRun.changed([("DesktopId", .string("maps"))]), to: ":1.7"),
      ])
  }

  @Test func aPromptIsAnsweredByAPerson() {
    var run = BridgeRun.ready()
    _ = run.client("Start")
    let start = run.number
    _ = run.handle(.authorization(client: 1, .undecided(isOpen: false)))
    #expect(run.handle(.authorization(client: 1, .undecided(isOpen: true))) == [])
    #expect(run.handle(.asked(client: 1)) == [])
    #expect(run.handle(.authorization(client: 1, .allowed)).first == .answer(start, []))
  }

  @Test func aPromptThatNobodyAnswersEndsBeforeTheCallersOwnLimit() {
    var run = BridgeRun.ready()
    _ = run.client("Start")
    let start = run.number
    _ = run.handle(.authorization(client: 1, .undecided(isOpen: true)))
    _ = run.handle(.asked(client: 1))
    run.now = run.now + .seconds(19)
    #expect(run.handle(.wake) == [])
    run.now = run.now + .seconds(1)
    let actions = run.handle(.wake)
    #expect(
      actions.contains(.fail(start, .accessDenied("Nobody has answered the question for access to the location"))))
    #expect(actions.contains(.close(client: 1)))
  }

  @Test func accessThatIsWithdrawnEndsTheClient() {
    var run = BridgeRun.active()
    #expect(
      run.handle(.authorization(client: 1, .denied)) == [
        .close(client: 1), .emit(BridgeRun.changed([("Active", .boolean(false))]), to: ":1.7"), BridgeRun.used(false),
      ])
    #expect(run.handle(.fix(client: 1, BridgeRun.fix(0))) == [])
  }

  @Test(arguments: [
    (0, true), (1, true), (3, true), (4, true), (5, true), (6, false), (7, false), (8, false), (99, false),
  ])
  func coarseLevelsGetTheReducedPosition(_ level: UInt32, _ isReduced: Bool) {
    var run = BridgeRun.ready(level: level)
    #expect(run.client("Start") == [.open(client: 1, owner: ":1.7", name: "maps", isReduced: isReduced)])
  }

  /// Without a level a client asks for that of a city.
  @Test func theLevelIsThatOfACityUnlessItIsSet() {
    var run = BridgeRun()
    _ = run.manager("GetClient")
    #expect(
      run.get(BridgeRun.path(1), "Client", "RequestedAccuracyLevel") == [
        .answer(run.number, [.variant(.uint32(4))])
      ])
  }

  @Test func anotherLevelOfAnActiveClientHoldsFromTheNextPosition() {
    var run = BridgeRun.active(level: 8)
    let actions = run.set("RequestedAccuracyLevel", .uint32(4))
    #expect(
      actions.suffix(3) == [
        .close(client: 1), .open(client: 1, owner: ":1.7", name: "maps", isReduced: true),
        .update(client: 1, isReduced: true),
      ])
  }
}
