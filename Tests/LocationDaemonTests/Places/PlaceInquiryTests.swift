import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import PlacesCore
import Positioning
import TestSupport
import Testing

/// When a server is asked for places, and when not.
@Suite struct PlaceInquiryTests {
  private var inquiry: PlaceInquiry
  private var now = Instant(nanoseconds: 1_000_000_000_000)
  private let provider: PlaceProvider
  private static let found = FetchResponse.answered(
    WebResponse(status: 200, body: Array(ProviderAnswers.nominatim.utf8)))

  init() throws {
    provider = try #require(PlaceProvider("nominatim:https://a.example"))
    inquiry = PlaceInquiry(provider, contact: "me@b.example")
  }

  private func asker(_ client: Int, _ request: UInt32 = 1) -> PlaceInquiry.Asker {
    PlaceInquiry.Asker(.process(client), RequestID(request))
  }

  private func query(_ text: String) -> PlacesRequest { .find(ForwardQuery(.text(text))) }

  private func request(_ text: String) throws -> FetchRequest {
    let address = try #require(provider.address(of: ForwardQuery(.text(text))))
    return try #require(FetchRequest(.place, address, body: Array("me@b.example".utf8)))
  }

  private mutating func ask(_ client: Int, _ text: String, _ number: UInt32 = 1) -> [PlaceInquiry.Action] {
    inquiry.handle(.asked(asker(client, number), query(text)), at: now)
  }

  private func names(_ actions: [PlaceInquiry.Action]) -> [PlaceInquiry.Asker: String?] {
    actions.reduce(into: [:]) { if case .answer(let asker, let places) = $1 { $0[asker] = places.first?.name } }
  }

  @Test mutating func oneRequestASecond() throws {
    #expect(try ask(1, "a") == [.fetch(request("a"))])
    #expect(ask(2, "b") == [] && ask(3, "a") == [])
    #expect(inquiry.nextDeadline == nil)
    now = now + .milliseconds(300)
    // Both that asked the same get the answer; the next request waits for the rest of the second.
    #expect(names(inquiry.handle(.replied(Self.found), at: now)) == [asker(1): "Städtle 49", asker(3): "Städtle 49"])
    #expect(inquiry.nextDeadline == now + .milliseconds(700))
    #expect(inquiry.handle(.wake, at: now + .milliseconds(699)) == [])
    now = now + .milliseconds(700)
    #expect(try inquiry.handle(.wake, at: now) == [.fetch(request("b"))])
  }

  @Test mutating func answersAreKept() throws {
    _ = ask(1, "a")
    _ = inquiry.handle(.replied(Self.found), at: now)
    now = now + .seconds(29 * 86_400)
    #expect(names(ask(2, "a")) == [asker(2): "Städtle 49"])
    now = now + .seconds(2 * 86_400)
    #expect(try ask(2, "a") == [.fetch(request("a"))])
  }

  /// At the same place within a meter, one request; and none for an unknown place again.
  @Test mutating func positions() {
    func at(_ latitude: Double) -> PlacesRequest {
      .at(ReverseQuery(Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: 9.5226))))
    }
    #expect(inquiry.handle(.asked(asker(1), at(47.141501)), at: now).count == 1)
    let none = FetchResponse.answered(WebResponse(status: 200, body: Array(#"{"error":"Unable to geocode"}"#.utf8)))
    #expect(inquiry.handle(.replied(none), at: now) == [.answer(asker(1), [])])
    now = now + .seconds(2)
    #expect(inquiry.handle(.asked(asker(1), at(47.141503)), at: now) == [.answer(asker(1), [])])
    #expect(inquiry.handle(.asked(asker(1), at(47.1416)), at: now).count == 1)
  }

  @Test mutating func boundsOfTheQueue() {
    _ = ask(1, "0")
    for number in 1..<4 { #expect(ask(1, "\(number)", UInt32(number)) == []) }
    #expect(ask(1, "5", 5) == [.fail(asker(1, 5), .busy)])
    for client in 2..<30 { #expect(ask(client, "\(client)") == []) }
    #expect(ask(30, "30") == [.fail(asker(30), .busy)])
    // The queries of a client that has left are not asked.
    for client in 1..<30 { #expect(inquiry.handle(.left(.process(client)), at: now) == []) }
    now = now + .seconds(5)
    #expect(inquiry.handle(.replied(Self.found), at: now) == [])
    #expect(inquiry.nextDeadline == nil)
  }

  @Test mutating func aCanceledQueryHasNoAnswer() throws {
    _ = ask(1, "a")
    #expect(ask(1, "b", 2) == [])
    #expect(inquiry.handle(.canceled(asker(1, 2)), at: now) == [])
    _ = inquiry.handle(.canceled(asker(1)), at: now)
    #expect(inquiry.handle(.replied(Self.found), at: now + .seconds(2)) == [])
    // The answer is known nevertheless.
    #expect(names(ask(2, "a")) == [asker(2): "Städtle 49"])
  }

  @Test(arguments: [
    (
      FetchResponse.answered(WebResponse(status: 429, retryAfter: .seconds(7200))), FetchProblem.refused(status: 429),
      7200
    ),
    (.failed(.tooLate), .tooLate, 30), (.answered(WebResponse(status: 200, body: [1])), .nonsense, 3600),
  ])
  mutating func afterAFailureTheServerIsLeftAlone(_ reply: FetchResponse, _ problem: FetchProblem, _ seconds: Int)
    throws
  {
    let failure = PlacesFailure.failed(host: "a.example", problem)
    _ = ask(1, "a")
    _ = ask(2, "b")
    #expect(inquiry.handle(.replied(reply), at: now) == [.fail(asker(1), failure), .fail(asker(2), failure)])
    now = now + .seconds(seconds - 1)
    #expect(ask(3, "c") == [.fail(asker(3), failure)])
    now = now + .seconds(1)
    #expect(try ask(3, "c") == [.fetch(request("c"))])
  }

  @Test mutating func whatIsNoQuery() {
    #expect(ask(1, "") == [.fail(asker(1), .tooLong)])
    #expect(ask(1, String(repeating: "ä", count: 256)) == [.fail(asker(1), .tooLong)])
  }

  @Test func withoutAServerOrAContactNobodyIsAsked() throws {
    #expect(throws: PlacesFailure.noProvider) { _ = try PlaceProviderSettings(contact: "a@b").inquiry() }
    #expect(throws: PlacesFailure.noContact) { _ = try PlaceProviderSettings(provider: provider).inquiry() }
  }
}
