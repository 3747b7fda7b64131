import Geodesy
import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// Managers of one process, some of which defer their updates.
@Suite struct SharedDeferralTests {
  private typealias Follower = SharedStreams.Follower

  private static let (first, second, third) = (
    Follower(manager: 1, request: RequestID(101)), Follower(manager: 2, request: RequestID(102)),
    Follower(manager: 3, request: RequestID(103))
  )
  /// The first stream; the request before is that for the fix of an earlier run.
  private static let stream = RequestID(2)
  private static let (call, other) = (RequestID(110), RequestID(111))
  private static let limits = DeferralLimits(timeout: .seconds(900))

  private var streams = SharedStreams(numbers: RequestNumbers())

  private mutating func handle(_ input: SharedStreams.Input) -> [SharedStreams.Action] {
    streams.handle(
      input, at: Instant(nanoseconds: 100_000_000_000), clock: GNSSTime(nanosecondsSince1970: 100_000_000_000))
  }

  private static func fix(_ second: Int64) -> PositionFix {
    PositionFix(
      time: GNSSTime(nanosecondsSince1970: second * 1_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: second * 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
  }

  @Test mutating func aManagerAloneDefersItsStream() {
    _ = handle(.join(Self.first, UpdateOptions()))
    #expect(
      handle(.deferUpdates(Self.first, call: Self.call, Self.limits)) == [
        .deferUpdates(call: Self.call, of: Self.stream, Self.limits)
      ])
    let batch = FixBatch([Self.fix(98), Self.fix(99)])
    #expect(handle(.batch(Self.stream, batch)) == [.notifyBatch([Self.first], batch)])
    #expect(handle(.deferralEnded(call: Self.call, nil)) == [.deferralEnded(Self.first, call: Self.call, nil)])
    #expect(handle(.deferralEnded(call: Self.call, nil)) == [])
    // The newest fix of the batch is known to those that follow, who now share the stream.
    guard case .known([Self.second], let known)? = handle(.join(Self.second, UpdateOptions())).first else {
      Issue.record("the fix is not known")
      return
    }
    #expect(known.time == Self.fix(99).time)
  }

  @Test mutating func aManagerThatDefersHoldsBackNoOther() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.join(Self.second, UpdateOptions()))
    let own = RequestID(3)
    #expect(
      handle(.deferUpdates(Self.first, call: Self.call, Self.limits)) == [
        .startUpdates(own, UpdateOptions()), .deferUpdates(call: Self.call, of: own, Self.limits),
      ])
    // Later ones join the stream that is not deferred.
    #expect(handle(.join(Self.third, UpdateOptions())) == [])
    let update = RequestEvent<FixEvent>.reply(.fix(Self.fix(100), age: .zero))
    #expect(handle(.stream(Self.stream, update)) == [.notify([Self.second, Self.third], update)])
    let batch = FixBatch([Self.fix(99)])
    #expect(handle(.batch(own, batch)) == [.notifyBatch([Self.first], batch)])
    // Each ends its own.
    #expect(handle(.leave(Self.first)) == [.cancel(own)])
    #expect(handle(.gone(manager: 2)) == [])
    #expect(handle(.gone(manager: 3)) == [.cancel(Self.stream)])
  }

  @Test mutating func nobodyJoinsADeferredStream() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.deferUpdates(Self.first, call: Self.call, Self.limits))
    #expect(handle(.join(Self.second, UpdateOptions())).last == .startUpdates(RequestID(3), UpdateOptions()))
  }

  @Test mutating func aStreamStaysExclusiveUntilTheLastCall() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.deferUpdates(Self.first, call: Self.call, Self.limits))
    _ = handle(.deferUpdates(Self.first, call: Self.other, Self.limits))
    let canceled = LocationFailure.deferral(.canceled)
    #expect(
      handle(.deferralEnded(call: Self.call, canceled)) == [.deferralEnded(Self.first, call: Self.call, canceled)])
    #expect(handle(.join(Self.second, UpdateOptions())).last == .startUpdates(RequestID(3), UpdateOptions()))
  }

  @Test mutating func withoutAStreamThereIsNothingToDefer() {
    #expect(
      handle(.deferUpdates(Self.first, call: Self.call, Self.limits)) == [
        .deferralEnded(Self.first, call: Self.call, .deferral(.notUpdating))
      ])
  }

  @Test mutating func theEndOfTheServiceEndsTheCalls() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.deferUpdates(Self.first, call: Self.call, Self.limits))
    #expect(
      handle(.serviceEnded) == [
        .deferralEnded(Self.first, call: Self.call, .deferral(.failed)), .serviceEnded([Self.first]),
      ])
    #expect(handle(.deferralEnded(call: Self.call, nil)) == [])
  }

  @Test mutating func aManagerThatIsReleasedLearnsNothing() {
    _ = handle(.join(Self.first, UpdateOptions()))
    _ = handle(.deferUpdates(Self.first, call: Self.call, Self.limits))
    #expect(handle(.gone(manager: 1)) == [.cancel(Self.stream)])
    #expect(handle(.deferralEnded(call: Self.call, .deferral(.notUpdating))) == [])
  }
}
