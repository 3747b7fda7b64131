import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

@testable import CoreLocation

/// Many clients that share one connection, so that the service sees one client.
@Suite struct RequestExchangeTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let stream = UpdateOptions()

  private func exchange() -> RequestExchange { RequestExchange(at: start) }

  private func locate(_ id: UInt32, within radius: Double? = nil, timeout: Int = 60) -> ClientRequest {
    .locate(RequestID(id), OneShotOptions(desiredRadius68: radius.map { Meters($0) }, timeout: .seconds(timeout)))
  }

  private func sent(_ actions: [RequestExchange.Action]) -> [ClientRequest] {
    actions.compactMap { if case .send(let request) = $0 { request } else { nil } }
  }

  @Test func requestsKeepTheirNumbers() {
    var exchange = exchange()
    for id in [7, 9] as [UInt32] {
      #expect(
        exchange.handle(.request(.startUpdates(RequestID(id), stream)), at: start)
          == [.send(.startUpdates(RequestID(id), stream))])
    }
    let event = ServiceEvent.streamChanged(RequestID(9), .lost)
    #expect(exchange.handle(.event(event), at: start) == [.deliver(event)])
    #expect(exchange.handle(.request(.cancel(RequestID(9))), at: start) == [.send(.cancel(RequestID(9)))])
    #expect(exchange.handle(.event(event), at: start) == [], "it was cancelled")
    #expect(exchange.handle(.request(.cancel(RequestID(7))), at: start) == [.send(.cancel(RequestID(7)))])
    #expect(exchange.handle(.request(.cancel(RequestID(7))), at: start) == [])
    #expect(exchange.nextDeadline == nil)
  }

  @Test func equalRequestsThatComeTogetherAreOneAndEachIsAnswered() {
    var exchange = exchange()
    #expect(sent(exchange.handle(.request(locate(1)), at: start)).count == 1)
    for id in 2...1000 as ClosedRange<UInt32> { #expect(exchange.handle(.request(locate(id)), at: start) == []) }
    // One request with another accuracy, and one that comes later.
    #expect(sent(exchange.handle(.request(locate(1001, within: 5)), at: start)).count == 1)
    #expect(sent(exchange.handle(.request(locate(1002)), at: start + .seconds(2))).count == 1)
    #expect(exchange.handle(.request(.cancel(RequestID(500))), at: start) == [])
    // The first of these requests no longer needs the answer; the others do.
    #expect(exchange.handle(.request(.cancel(RequestID(1))), at: start) == [])
    let reported = exchange.handle(.event(.failed(RequestID(1), .noSource)), at: start + .seconds(2))
    let expected = (2...1000 as ClosedRange<UInt32>).filter { $0 != 500 }
    #expect(reported == expected.map { RequestExchange.Action.deliver(.failed(RequestID($0), .noSource)) })
  }

  @Test func onlyTheLastOfThoseWhoShareARequestCancelsIt() {
    var exchange = exchange()
    for id in 1...2 as ClosedRange<UInt32> { _ = exchange.handle(.request(locate(id)), at: start) }
    #expect(exchange.handle(.request(.cancel(RequestID(1))), at: start) == [])
    #expect(exchange.handle(.request(.cancel(RequestID(2))), at: start) == [.send(.cancel(RequestID(1)))])
  }

  @Test func whatTheServiceDoesNotTakeImmediatelyWaitsWithWhatIsLeftOfItsTime() throws {
    var exchange = exchange()
    var first: [ClientRequest] = []
    for id in 1...100 as ClosedRange<UInt32> {
      first += sent(exchange.handle(.request(locate(id, within: Double(id))), at: start))
    }
    #expect(first.count == RequestExchange.mostAtOnce)
    let later = start + .seconds(10)
    let next = exchange.handle(.event(.failed(first[0].id, .noSource)), at: later)
    #expect(next.first == .deliver(.failed(RequestID(1), .noSource)))
    guard case .locate(_, let options)? = sent(next).first else {
      Issue.record("nothing follows: \(next)")
      return
    }
    #expect(options.timeout == .seconds(50))
    // There is no answer by then: the requests that were never sent fail now; the others receive the service's answer.
    let end = try #require(exchange.nextDeadline)
    #expect(end == start + .seconds(60))
    let reported = exchange.handle(.wake, at: end)
    #expect(reported.count == 100 - RequestExchange.mostAtOnce - 1)
    #expect(exchange.nextDeadline == nil)
  }

  @Test func streamsLeaveRoomForRequests() {
    var exchange = exchange()
    var refused = 0
    for id in 1...64 as ClosedRange<UInt32> {
      let actions = exchange.handle(.request(.startUpdates(RequestID(id), stream)), at: start)
      if case .deliver(.failed(RequestID(id), .tooManyRequests))? = actions.first { refused += 1 }
    }
    #expect(refused == 64 - RequestExchange.mostStreams)
    #expect(sent(exchange.handle(.request(locate(65)), at: start)).count == 1)
  }

  /// Whatever the program's clients do, the service's session never has a reason to close the connection.
  @Test func theServiceNeverLetsItGo() {
    var random = SplitMix64(seed: 20_261_121)
    var exchange = exchange()
    var service = ServerSession(release: "1", at: start)
    _ = service.handle(.received(ClientMessage.hello(ClientHello(name: "many")).frame), at: start)
    var open: Set<RequestID> = []
    var complaints: [String] = []
    var (asked, answers) = (0, 0)
    var now = start
    func carry(_ actions: [RequestExchange.Action]) {
      for case .send(let request) in actions {
        for action in service.handle(.received(ClientMessage.request(request).frame), at: now) {
          switch action {
          case .request(.cancel(let id)): open.remove(id)
          case .request(let request): open.insert(request.id)
          case .greeted: break
          case .disconnect(let refusal): complaints.append("\(refusal)")
          }
        }
        if service.unsent.count > 200 { complaints.append("something was refused") }
        _ = service.handle(.sent(service.unsent.count), at: now)
      }
      for case .deliver(.located) in actions { answers += 1 }
      for case .deliver(.failed) in actions { answers += 1 }
    }
    for step in 0..<4000 {
      let id = UInt32(step)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        asked += 1
        let radius = Double.random(in: 1...100, using: &random)
        carry(exchange.handle(.request(locate(id, within: radius)), at: now))
      // Cancels one of the last thousand requests, which may be over.
      case 6:
        let earlier = UInt32.random(in: id - min(id, 1000)...id, using: &random)
        carry(exchange.handle(.request(.cancel(RequestID(earlier))), at: now))
      case 7:
        if let id = open.randomElement(using: &random) {
          open.remove(id)
          _ = service.handle(.send(.failed(id, .noSource)), at: now)
          _ = service.handle(.sent(service.unsent.count), at: now)
          carry(exchange.handle(.event(.failed(id, .noSource)), at: now))
        }
      default:
        now = now + .milliseconds(5)
        if let deadline = exchange.nextDeadline, deadline <= now { carry(exchange.handle(.wake, at: now)) }
      }
      if open.count > 64 { complaints.append("\(open.count) at once") }
    }
    #expect(complaints.isEmpty, "\(complaints.prefix(3))")
    #expect(asked > 2000 && answers > 100)
  }
}
