import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// No user can use up the resources that others need: limits on the requests of one user, and of all users who are not
/// administrators.
@Suite struct RequestBoundTests {
  private func streams(_ count: Int, of client: Int, in bed: inout GateBed) -> [AccessGate.Action] {
    (1...count).flatMap { bed.ask(client, .startUpdates(RequestID(UInt32($0)), UpdateOptions())) }
  }

  private func bounds(_ actions: [AccessGate.Action]) -> [ServiceBound] {
    actions.compactMap { if case .reached(let bound) = $0 { bound } else { nil } }
  }

  @Test func oneUserHasABound() {
    var bed = GateBed()
    bed.arrive(1, user: 1000, .asks)
    bed.arrive(2, user: 1000, .asks)
    bed.arrive(3, user: 1001, .entitled)
    bed.decide(.always(isReduced: true), for: 1000)
    #expect(bounds(streams(200, of: 1, in: &bed)) == [])
    let actions = streams(57, of: 2, in: &bed)
    #expect(bounds(actions) == [ServiceBound(.requestsOfUser, limit: 256, userID: 1000)])
    #expect(actions.contains(.send(ClientID.process(2), .failed(RequestID(57), .tooManyRequests(limit: 256)))))
    // Requests of another user are counted separately, and requests that have ended are not counted.
    #expect(bounds(streams(1, of: 3, in: &bed)) == [])
    _ = bed.ask(1, .cancel(RequestID(1)))
    #expect(bounds(bed.ask(2, .startUpdates(RequestID(58), UpdateOptions()))) == [])
  }

  @Test func administratorsHaveRoomBesideAllOthers() {
    var bed = GateBed()
    for user in 1...12 {
      bed.arrive(user, user: UInt32(1000 + user), .entitled)
      #expect(bounds(streams(256, of: user, in: &bed)) == [])
    }
    bed.arrive(13, user: 1013, .entitled)
    #expect(bounds(streams(1, of: 13, in: &bed)) == [ServiceBound(.requests, limit: 3072, userID: 1013)])
    bed.arrive(14, user: 0, .administrator)
    #expect(bounds(streams(1024, of: 14, in: &bed)) == [])
  }

  /// A refusal is reported at most once a minute, however often it occurs, and is forgotten after an hour.
  @Test func theHistoryOfBounds() {
    var history = BoundHistory()
    let start = Instant(nanoseconds: 0)
    let bound = ServiceBound(.requestsOfUser, limit: 256, userID: 1000)
    var isDelivered = [0, 59, 60].map { history.note(bound, at: start + .seconds($0)) }
    isDelivered.append(
      history.note(ServiceBound(.requestsOfUser, limit: 256, userID: 1001), at: start + .seconds(61)))
    #expect(isDelivered == [true, false, true, true])
    #expect(
      history.reached(at: start + .seconds(62)).map(\.times) == [1, 3])
    #expect(history.reached(at: start + .seconds(3700)) == [])
    for user in 0..<1000 {
      _ = history.note(ServiceBound(.regions, limit: 1, userID: UInt32(user)), at: start + .seconds(70))
    }
    #expect(history.reached(at: start + .seconds(71)).count == 32)
  }
}
