import Geodesy
import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// The streams that a process's managers share, one event per line.
@Suite struct SharedStreamsTests {
  private typealias Follower = SharedStreams.Follower

  private static let (first, second, third) = (
    Follower(manager: 1, request: RequestID(1)), Follower(manager: 2, request: RequestID(7)),
    Follower(manager: 3, request: RequestID(1))
  )
  private static let recollection = RequestID(1)
  /// The ID of the first stream, and that of the next one.
  private static let (stream, next) = (RequestID(2), RequestID(3))
  private static let lastKnown = OneShotOptions(
    timeout: .zero, maximumAge: .zero, acceptsLastKnown: true, waitsForSource: true, whenNotDetermined: .fails)
  private static let car = UpdateOptions(activity: .automotiveNavigation)
  private static let unreadable = LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")

  /// The fix at `second`, standing still, delivered immediately.
  private static func fix(_ second: Int64) -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: second * 1_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: second * 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 2
    return fix
  }

  private static func update(_ fix: PositionFix, age: Duration) -> RequestEvent<FixEvent> {
    .reply(.fix(fix, age: age))
  }

  private var streams = SharedStreams(numbers: RequestNumbers())

  private mutating func handle(_ input: SharedStreams.Input, at second: Int64 = 100) -> [SharedStreams.Action] {
    streams.handle(
      input, at: Instant(nanoseconds: second * 1_000_000_000),
      clock: GNSSTime(nanosecondsSince1970: second * 1_000_000_000))
  }

  @Test mutating func equalRequestsShareOneRequest() {
    #expect(
      handle(.join(Self.first, UpdateOptions())) == [
        .locate(Self.recollection, Self.lastKnown), .startUpdates(Self.stream, UpdateOptions()),
      ])
    #expect(handle(.join(Self.second, UpdateOptions())) == [])
    #expect(handle(.join(Self.third, Self.car)) == [.startUpdates(Self.next, Self.car)])
    #expect(
      handle(.stream(Self.stream, Self.update(Self.fix(100), age: .zero))) == [
        .notify([Self.first, Self.second], Self.update(Self.fix(100), age: .zero))
      ])
    #expect(
      handle(.stream(Self.next, Self.update(Self.fix(100), age: .zero))) == [
        .notify([Self.third], Self.update(Self.fix(100), age: .zero))
      ])
    #expect(handle(.leave(Self.first)) == [])
    #expect(handle(.leave(Self.first)) == [])
    #expect(handle(.gone(manager: 2)) == [.cancel(Self.stream)])
    // An event that was sent before the cancellation.
    #expect(handle(.stream(Self.stream, Self.update(Self.fix(101), age: .zero))) == [])
    #expect(handle(.gone(manager: 3)) == [.cancel(Self.next)])
  }

  @Test mutating func lateFollowersReceiveTheLatestFixWithItsRadiusGrownOnce() {
    _ = handle(.join(Self.first, UpdateOptions()))
    // The fix was one second old when it was delivered, and its radius had grown by 2 m.
    var reported = Self.fix(100)
    reported.horizontalRadius68 = Meters(5)
    _ = handle(.stream(Self.stream, Self.update(reported, age: .seconds(1))), at: 101)
    reported.horizontalRadius68 = Meters(11)
    #expect(handle(.join(Self.second, UpdateOptions()), at: 104) == [.known([Self.second], reported)])
    #expect(reported.time == Self.fix(100).time)
    // A suspect fix is not used as a manager's first fix.
    var suspect = Self.fix(105)
    suspect.qualityFlag = .implausible
    _ = handle(.stream(Self.stream, Self.update(suspect, age: .zero)), at: 105)
    #expect(handle(.join(Self.third, UpdateOptions()), at: 104) == [.known([Self.third], reported)])
  }

  @Test mutating func theFixOfAnEarlierRunIsKnownToAll() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.join(Self.second, Self.car))
    #expect(
      handle(.answer(Self.recollection, .reply(LocateReply(Self.fix(40), age: .seconds(60), isCached: true)))) == [
        .known([Self.first], Self.fix(40)), .known([Self.second], Self.fix(40)),
      ])
    // The last known fix is requested once.
    _ = handle(.gone(manager: 1))
    _ = handle(.gone(manager: 2))
    let actions = handle(.join(Self.third, Self.car))
    #expect(actions.contains(.startUpdates(RequestID(4), Self.car)) && actions.count == 2)
  }

  /// A process that lost its access does not receive earlier fixes.
  @Test mutating func whatIsBarredIsForgotten() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.stream(Self.stream, Self.update(Self.fix(100), age: .zero)))
    #expect(handle(.barred) == [])
    #expect(
      handle(.join(Self.third, Self.car)) == [
        .locate(Self.next, Self.lastKnown), .startUpdates(RequestID(4), Self.car),
      ])
    // An answer that was sent before the change.
    #expect(handle(.answer(Self.recollection, .reply(LocateReply(Self.fix(40), age: .zero, isCached: true)))) == [])
  }

  @Test mutating func futureFixesAreIgnored() {
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(handle(.answer(Self.recollection, .reply(LocateReply(Self.fix(101), age: .zero, isCached: true)))) == [])
  }

  @Test mutating func whatIsKnownDoesNotComeAfterWhatIsNew() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.stream(Self.stream, Self.update(Self.fix(100), age: .zero)))
    #expect(
      handle(.answer(Self.recollection, .reply(LocateReply(Self.fix(40), age: .seconds(60), isCached: true)))) == [])
  }

  @Test mutating func withoutASourceItIsAskedWhy() {
    let why = OneShotOptions(timeout: .seconds(5), maximumAge: .zero, whenNotDetermined: .fails)
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(
      handle(.stream(Self.stream, .progress(.waitingForSource))) == [.locate(Self.next, why)])
    // While the cause is requested, no manager is notified of a problem.
    #expect(handle(.join(Self.second, UpdateOptions())) == [])
    #expect(
      handle(.answer(Self.next, .failed(.noSource))) == [
        .notify([Self.first, Self.second], .progress(.waitingForSource))
      ])
    #expect(handle(.join(Self.third, UpdateOptions())) == [.notify([Self.third], .progress(.waitingForSource))])
    #expect(
      handle(.stream(Self.stream, Self.update(Self.fix(100), age: .zero))) == [
        .notify([Self.first, Self.second, Self.third], Self.update(Self.fix(100), age: .zero))
      ])
  }

  @Test mutating func receiversThatMayNotBeReadAreADenialUntilAFixComes() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.stream(Self.stream, .progress(.waitingForSource)))
    #expect(
      handle(.answer(Self.next, .failed(Self.unreadable))) == [
        .authorize(false), .cancel(Self.stream), .notify([Self.first], .failed(Self.unreadable)),
      ])
    _ = handle(.join(Self.second, UpdateOptions()))
    #expect(handle(.denied) == [], "known already")
    #expect(
      handle(.stream(RequestID(4), Self.update(Self.fix(100), age: .zero))) == [
        .authorize(true), .notify([Self.second], Self.update(Self.fix(100), age: .zero)),
      ])
    #expect(handle(.denied) == [.authorize(false)])
    #expect(handle(.located(Self.fix(101))) == [.authorize(true)])
  }

  @Test mutating func aLossAndAnEndAreSentToAll() {
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(handle(.stream(Self.stream, .reply(.change(.lost)))) == [.notify([Self.first], .reply(.change(.lost)))])
    #expect(handle(.join(Self.second, UpdateOptions())) == [.notify([Self.second], .reply(.change(.lost)))])
    #expect(
      handle(.stream(Self.stream, .reply(.change(.back)))) == [
        .notify([Self.first, Self.second], .reply(.change(.back)))
      ])
    #expect(
      handle(.stream(Self.stream, .failed(.noSource))) == [.notify([Self.first, Self.second], .failed(.noSource))])
    _ = handle(.join(Self.third, UpdateOptions()))
    #expect(handle(.serviceEnded) == [.serviceEnded([Self.third])])
    #expect(handle(.gone(manager: 3)) == [])
  }

  @Test mutating func restartingAPausedStreamResumesItForAll() {
    let options = UpdateOptions(pausesAutomatically: true)
    _ = handle(.join(Self.first, options))
    #expect(handle(.stream(Self.stream, .reply(.change(.paused)))) == [.notify([Self.first], .reply(.change(.paused)))])
    #expect(
      handle(.join(Self.second, options)) == [
        .cancel(Self.stream), .startUpdates(Self.next, options), .notify([Self.first], .reply(.change(.unpaused))),
      ])
    // An event that was sent before the change.
    #expect(handle(.stream(Self.stream, .reply(.change(.unpaused)))) == [])
    let both = [Self.first, Self.second]
    #expect(handle(.stream(Self.next, .reply(.change(.paused)))) == [.notify(both, .reply(.change(.paused)))])
    #expect(handle(.stream(Self.next, .reply(.change(.unpaused)))) == [.notify(both, .reply(.change(.unpaused)))])
    // A service that has restarted knows of no pause.
    _ = handle(.stream(Self.next, .reply(.change(.paused))))
    #expect(
      handle(.stream(Self.next, Self.update(Self.fix(100), age: .zero)))
        == [
          .authorize(true), .notify(both, .reply(.change(.unpaused))),
          .notify(both, Self.update(Self.fix(100), age: .zero)),
        ].filter { $0 != .authorize(true) })
  }

  @Test mutating func noPromptWithoutAnAgentOrAClient() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.stream(Self.stream, .progress(.waitingForSource)))
    #expect(handle(.leave(Self.first)) == [.cancel(Self.stream), .cancel(Self.next)])
  }
}
