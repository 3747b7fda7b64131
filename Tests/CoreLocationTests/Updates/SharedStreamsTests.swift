import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// The streams that a process's managers share, one event a line.
@Suite struct SharedStreamsTests {
  private typealias Follower = SharedStreams.Follower

  private static let (first, second, third) = (
    Follower(manager: 1, request: RequestID(1)), Follower(manager: 2, request: RequestID(7)),
    Follower(manager: 3, request: RequestID(1))
  )
  private static let recollection = RequestID(1)
  /// The first stream's own number, and the next one's.
  private static let (stream, next) = (RequestID(2), RequestID(3))
  private static let lastKnown = OneShotOptions(
    timeout: .zero, maximumAge: .zero, acceptsLastKnown: true, waitsForSource: true, ifUndecided: .fails)
  private static let car = UpdateOptions(activity: .automotiveNavigation)
  private static let unreadable = LocationFailure.permissionDenied(path: "/dev/ttyACM0", group: "dialout")

  /// The fix at `second`, standing still, as it is told at once.
  private static func fix(_ second: Int64) -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: second * 1_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: second * 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 2
    return fix
  }

  private var streams = SharedStreams()

  private mutating func handle(_ input: SharedStreams.Input, at second: Int64 = 100) -> [SharedStreams.Action] {
    streams.handle(
      input, at: Instant(nanoseconds: second * 1_000_000_000),
      clock: GNSSTime(nanosecondsSince1970: second * 1_000_000_000))
  }

  @Test mutating func equalWishesShareOneRequest() {
    #expect(
      handle(.join(Self.first, UpdateOptions())) == [
        .send(.locate(Self.recollection, Self.lastKnown)), .send(.startUpdates(Self.stream, UpdateOptions())),
      ])
    #expect(handle(.join(Self.second, UpdateOptions())) == [])
    #expect(handle(.join(Self.third, Self.car)) == [.send(.startUpdates(Self.next, Self.car))])
    #expect(
      handle(.event(.update(Self.stream, Self.fix(100), age: .zero))) == [
        .tell([Self.first, Self.second], .fix(Self.fix(100), age: .zero))
      ])
    #expect(
      handle(.event(.update(Self.next, Self.fix(100), age: .zero))) == [
        .tell([Self.third], .fix(Self.fix(100), age: .zero))
      ])
    #expect(handle(.leave(Self.first)) == [])
    #expect(handle(.leave(Self.first)) == [])
    #expect(handle(.gone(manager: 2)) == [.send(.cancel(Self.stream))])
    // An event that was under way.
    #expect(handle(.event(.update(Self.stream, Self.fix(101), age: .zero))) == [])
    #expect(handle(.gone(manager: 3)) == [.send(.cancel(Self.next))])
  }

  @Test mutating func whoComesLaterIsToldTheLatestFixGrownOnce() {
    _ = handle(.join(Self.first, UpdateOptions()))
    // A second old when it was told, its radius grown by 2 m.
    var told = Self.fix(100)
    told.horizontalRadius68 = Meters(5)
    _ = handle(.event(.update(Self.stream, told, age: .seconds(1))), at: 101)
    told.horizontalRadius68 = Meters(11)
    #expect(handle(.join(Self.second, UpdateOptions()), at: 104) == [.tell([Self.second], .known(told))])
    #expect(told.time == Self.fix(100).time)
    // A suspect fix is nothing to begin with.
    var suspect = Self.fix(105)
    suspect.suspicion = .implausible
    _ = handle(.event(.update(Self.stream, suspect, age: .zero)), at: 105)
    #expect(handle(.join(Self.third, UpdateOptions()), at: 104) == [.tell([Self.third], .known(told))])
  }

  @Test mutating func theFixOfAnEarlierRunIsKnownToAll() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.join(Self.second, Self.car))
    #expect(
      handle(.event(.located(Self.recollection, Self.fix(40), age: .seconds(60), isCached: true))) == [
        .tell([Self.first], .known(Self.fix(40))), .tell([Self.second], .known(Self.fix(40))),
      ])
    // It is asked for once.
    _ = handle(.gone(manager: 1))
    _ = handle(.gone(manager: 2))
    let actions = handle(.join(Self.third, Self.car))
    #expect(actions.contains(.send(.startUpdates(RequestID(4), Self.car))) && actions.count == 2)
  }

  /// What was told before is not told to a process that may not know any more.
  @Test mutating func whatIsBarredIsForgotten() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.event(.update(Self.stream, Self.fix(100), age: .zero)))
    #expect(handle(.barred) == [])
    #expect(
      handle(.join(Self.third, Self.car)) == [
        .send(.locate(Self.next, Self.lastKnown)), .send(.startUpdates(RequestID(4), Self.car)),
      ])
    // An answer that was under way.
    #expect(handle(.event(.located(Self.recollection, Self.fix(40), age: .zero, isCached: true))) == [])
  }

  @Test mutating func nobodyHasKnownWhereTheDeviceWillBe() {
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(handle(.event(.located(Self.recollection, Self.fix(101), age: .zero, isCached: true))) == [])
  }

  @Test mutating func whatIsKnownDoesNotComeAfterWhatIsNew() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.event(.update(Self.stream, Self.fix(100), age: .zero)))
    #expect(handle(.event(.located(Self.recollection, Self.fix(40), age: .seconds(60), isCached: true))) == [])
  }

  @Test mutating func withoutASourceItIsAskedWhy() {
    let why = OneShotOptions(timeout: .seconds(5), maximumAge: .zero, ifUndecided: .fails)
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(
      handle(.event(.progress(Self.stream, .waitingForSource))) == [.send(.locate(Self.next, why))])
    // While it is asked, nobody is told of a doubt.
    #expect(handle(.join(Self.second, UpdateOptions())) == [])
    #expect(handle(.event(.failed(Self.next, .noSource))) == [.tell([Self.first, Self.second], .waiting)])
    #expect(handle(.join(Self.third, UpdateOptions())) == [.tell([Self.third], .waiting)])
    #expect(
      handle(.event(.update(Self.stream, Self.fix(100), age: .zero))) == [
        .tell([Self.first, Self.second, Self.third], .fix(Self.fix(100), age: .zero))
      ])
  }

  @Test mutating func receiversThatMayNotBeReadAreADenialUntilAFixComes() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.event(.progress(Self.stream, .waitingForSource)))
    #expect(
      handle(.event(.failed(Self.next, Self.unreadable))) == [
        .authorize(false), .send(.cancel(Self.stream)), .tell([Self.first], .failed(Self.unreadable)),
      ])
    _ = handle(.join(Self.second, UpdateOptions()))
    #expect(handle(.denied) == [], "known already")
    #expect(
      handle(.event(.update(RequestID(4), Self.fix(100), age: .zero))) == [
        .authorize(true), .tell([Self.second], .fix(Self.fix(100), age: .zero)),
      ])
    #expect(handle(.denied) == [.authorize(false)])
    #expect(handle(.located(Self.fix(101))) == [.authorize(true)])
  }

  @Test mutating func aLossAndAnEndAreToldToAll() {
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(handle(.event(.streamChanged(Self.stream, .lost))) == [.tell([Self.first], .lost)])
    #expect(handle(.join(Self.second, UpdateOptions())) == [.tell([Self.second], .lost)])
    #expect(
      handle(.event(.streamChanged(Self.stream, .back))) == [.tell([Self.first, Self.second], .back)])
    #expect(
      handle(.event(.failed(Self.stream, .noSource))) == [.tell([Self.first, Self.second], .failed(.noSource))])
    _ = handle(.join(Self.third, UpdateOptions()))
    #expect(handle(.serviceEnded) == [.tell([Self.third], .serviceEnded)])
    #expect(handle(.gone(manager: 3)) == [])
  }

  @Test mutating func whoStartsAPausedStreamEndsThePauseForAll() {
    let options = UpdateOptions(pausesAutomatically: true)
    _ = handle(.join(Self.first, options))
    #expect(handle(.event(.streamChanged(Self.stream, .paused))) == [.tell([Self.first], .paused)])
    #expect(
      handle(.join(Self.second, options)) == [
        .send(.cancel(Self.stream)), .send(.startUpdates(Self.next, options)), .tell([Self.first], .unpaused),
      ])
    // What was under way.
    #expect(handle(.event(.streamChanged(Self.stream, .unpaused))) == [])
    let both = [Self.first, Self.second]
    #expect(handle(.event(.streamChanged(Self.next, .paused))) == [.tell(both, .paused)])
    #expect(handle(.event(.streamChanged(Self.next, .unpaused))) == [.tell(both, .unpaused)])
    // A service that has begun anew knows of no pause.
    _ = handle(.event(.streamChanged(Self.next, .paused)))
    #expect(
      handle(.event(.update(Self.next, Self.fix(100), age: .zero)))
        == [
          .authorize(true), .tell(both, .unpaused), .tell(both, .fix(Self.fix(100), age: .zero)),
        ].filter { $0 != .authorize(true) })
  }

  @Test mutating func nobodyAsksWhyForNobody() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.event(.progress(Self.stream, .waitingForSource)))
    #expect(handle(.leave(Self.first)) == [.send(.cancel(Self.stream)), .send(.cancel(Self.next))])
  }
}
