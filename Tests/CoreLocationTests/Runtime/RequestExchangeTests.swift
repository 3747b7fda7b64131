import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// Many clients as the one that the service sees.
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

  @Test func clientsKeepTheirOwnNumbers() {
    var exchange = exchange()
    for (client, name) in [(1, 1), (2, 2)] as [(Int, UInt32)] {
      #expect(
        exchange.handle(.request(.startUpdates(RequestID(7), stream), from: client), at: start)
          == [.send(.startUpdates(RequestID(name), stream))])
    }
    let event = ServiceEvent.streamChanged(RequestID(2), .lost)
    #expect(
      exchange.handle(.event(event), at: start) == [.tell(2, .streamChanged(RequestID(7), .lost))])
    #expect(exchange.handle(.request(.cancel(RequestID(7)), from: 2), at: start) == [.send(.cancel(RequestID(2)))])
    #expect(exchange.handle(.event(event), at: start) == [], "it was cancelled")
    #expect(exchange.handle(.left(1), at: start) == [.send(.cancel(RequestID(1)))])
    #expect(exchange.handle(.left(1), at: start) == [])
    #expect(exchange.nextDeadline == nil)
  }

  @Test func equalRequestsThatComeTogetherAreOneAndEachIsAnswered() {
    var exchange = exchange()
    #expect(sent(exchange.handle(.request(locate(1), from: 1), at: start)).count == 1)
    for client in 2...1000 { #expect(exchange.handle(.request(locate(1), from: client), at: start) == []) }
    // One who wants another accuracy, and one who comes later.
    #expect(sent(exchange.handle(.request(locate(1, within: 5), from: 1001), at: start)).count == 1)
    #expect(sent(exchange.handle(.request(locate(1), from: 1002), at: start + .seconds(2))).count == 1)
    #expect(exchange.handle(.left(500), at: start) == [])
    let told = exchange.handle(.event(.failed(RequestID(1), .noSource)), at: start + .seconds(2))
    let expected = (1...1000).filter { $0 != 500 }
    #expect(told == expected.map { RequestExchange.Action.tell($0, .failed(RequestID(1), .noSource)) })
  }

  @Test func onlyTheLastOfThoseWhoShareARequestCancelsIt() {
    var exchange = exchange()
    for client in 1...2 { _ = exchange.handle(.request(locate(1), from: client), at: start) }
    #expect(exchange.handle(.request(.cancel(RequestID(1)), from: 1), at: start) == [])
    #expect(exchange.handle(.left(2), at: start) == [.send(.cancel(RequestID(1)))])
  }

  @Test func whatTheServiceDoesNotTakeAtOnceWaitsWithWhatIsLeftOfItsTime() throws {
    var exchange = exchange()
    var first: [ClientRequest] = []
    for client in 1...100 {
      first += sent(exchange.handle(.request(locate(1, within: Double(client)), from: client), at: start))
    }
    #expect(first.count == RequestExchange.mostAtOnce)
    let later = start + .seconds(10)
    let next = exchange.handle(.event(.failed(first[0].id, .noSource)), at: later)
    #expect(next.first == .tell(1, .failed(RequestID(1), .noSource)))
    guard case .locate(_, let options)? = sent(next).first else {
      Issue.record("nothing follows: \(next)")
      return
    }
    #expect(options.timeout == .seconds(50))
    // Nobody has answered by then: those who never had their turn are told; the others have the service's word.
    let end = try #require(exchange.nextDeadline)
    #expect(end == start + .seconds(60))
    let told = exchange.handle(.wake, at: end)
    #expect(told.count == 100 - RequestExchange.mostAtOnce - 1)
    #expect(exchange.nextDeadline == nil)
  }

  @Test func streamsLeaveRoomForRequests() {
    var exchange = exchange()
    var refused = 0
    for client in 1...64 {
      let actions = exchange.handle(.request(.startUpdates(RequestID(1), stream), from: client), at: start)
      if case .tell(client, .failed(RequestID(1), .tooManyRequests))? = actions.first { refused += 1 }
    }
    #expect(refused == 64 - RequestExchange.mostStreams)
    #expect(sent(exchange.handle(.request(locate(1), from: 65), at: start)).count == 1)
  }

  /// The service's own session never has a reason to let such a client go, whatever its clients do.
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
          case .letGo(let refusal): complaints.append("\(refusal)")
          }
        }
        if service.unsent.count > 200 { complaints.append("something was refused") }
        _ = service.handle(.sent(service.unsent.count), at: now)
      }
      for case .tell(_, .located) in actions { answers += 1 }
      for case .tell(_, .failed) in actions { answers += 1 }
    }
    for step in 0..<4000 {
      let client = Int.random(in: 1...500, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        asked += 1
        let radius = Double.random(in: 1...100, using: &random)
        carry(exchange.handle(.request(locate(UInt32(step), within: radius), from: client), at: now))
      case 6: carry(exchange.handle(.left(client), at: now))
      case 7:
        if let id = open.randomElement(using: &random) {
          open.remove(id)
          _ = service.handle(.tell(.failed(id, .noSource)), at: now)
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
