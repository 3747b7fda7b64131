package import Geodesy
package import LocationIPC
package import LocationPolicy
package import PlacesCore
package import Positioning

/// Decides when a server is asked for places: one query at a time and at most one a second for the whole machine, as the owners of
/// public servers demand, and none whose answer is still known. Answers stay in memory only: on a disk they would be a list of the places
/// that people have looked for.
package struct PlaceInquiry: Sendable {
  /// A query of a client.
  package struct Asker: Hashable, Sendable {
    package let client: ClientID
    package let request: RequestID

    package init(_ client: ClientID, _ request: RequestID) { (self.client, self.request) = (client, request) }
  }

  package enum Input: Sendable {
    case asked(Asker, PlacesRequest)
    case canceled(Asker)
    case left(ClientID)
    /// The result of the request.
    case replied(FetchResponse)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    case fetch(FetchRequest)
    case answer(Asker, [Place])
    case fail(Asker, PlacesFailure)
  }

  private struct Question: Sendable {
    let asker: Asker
    let request: PlacesRequest
    let address: WebAddress
  }

  private struct Answer: Sendable {
    let response: WebResponse
    let at: Instant
  }

  /// The most queries that wait, and those of one client.
  package static let (mostWaiting, mostOfClient) = (32, 4)
  /// The least time between two requests.
  package static let interval: Duration = .seconds(1)
  /// The most answers that are kept, and the most bytes of them; the oldest are dropped first.
  private static let (mostAnswers, mostBytes) = (256, 4 << 20)
  /// How long an answer is valid.
  package static let life: Duration = .seconds(30 * 86_400)

  private let provider: PlaceProvider
  private let contact: String
  private var waiting: [Question] = []
  /// The request that the server is answering.
  private var asked: WebAddress?
  private var askedAt: Instant?
  private var pause = FetchPause()
  private var answers: [WebAddress: Answer] = [:]
  /// Why the last request had no answer.
  package private(set) var problem: FetchProblem?

  /// - Parameter contact: part of the user agent; a valid one (`ProviderContact`).
  package init(_ provider: PlaceProvider, contact: String) { (self.provider, self.contact) = (provider, contact) }

  /// When `.wake` is due; `nil`: nothing waits for a time.
  package var nextDeadline: Instant? {
    guard asked == nil, !waiting.isEmpty else { return nil }
    return askedAt.map { $0 + Self.interval }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .asked(let asker, let request): add(asker, request, at: now, &actions)
    case .canceled(let asker): waiting.removeAll { $0.asker == asker }
    case .left(let client): waiting.removeAll { $0.asker.client == client }
    case .replied(let reply): receive(reply, at: now, &actions)
    case .wake: break
    }
    ask(at: now, &actions)
    return actions
  }

  private mutating func add(_ asker: Asker, _ request: PlacesRequest, at now: Instant, _ actions: inout [Action]) {
    let address =
      switch request {
      case .at(let query): provider.address(of: query)
      case .find(let query): provider.address(of: query)
      }
    guard let address else { return actions.append(.fail(asker, .tooLong)) }
    let question = Question(asker: asker, request: request, address: address)
    if let known = answers[address], now - known.at < Self.life {
      return actions.append(answer(question, .success(known.response)))
    }
    guard pause.isOver(at: now) else {
      return actions.append(.fail(asker, .failed(host: provider.host, problem ?? .noConnection)))
    }
    guard waiting.count < Self.mostWaiting,
      waiting.count(where: { $0.asker.client == asker.client }) < Self.mostOfClient
    else { return actions.append(.fail(asker, .busy)) }
    waiting.append(question)
  }

  /// Sends the next query, if it is time.
  private mutating func ask(at now: Instant, _ actions: inout [Action]) {
    guard asked == nil, let next = waiting.first, askedAt.map({ now - $0 >= Self.interval }) ?? true else { return }
    guard let request = FetchRequest(.place, next.address, body: Array(contact.utf8)) else {
      waiting.removeFirst()
      return actions.append(.fail(next.asker, .tooLong))
    }
    (asked, askedAt) = (next.address, now)
    actions.append(.fetch(request))
  }

  private mutating func receive(_ reply: FetchResponse, at now: Instant, _ actions: inout [Action]) {
    guard let asked else { return }
    self.asked = nil
    let questions = waiting.filter { $0.address == asked }
    waiting.removeAll { $0.address == asked }
    let result = Result<WebResponse, FetchProblem> { () throws(FetchProblem) in try check(reply) }
    switch result {
    case .success(let response):
      (problem, pause) = (nil, FetchPause())
      keep(Answer(response: response, at: now), of: asked)
    case .failure(let failure):
      problem = failure
      pause.failed(reply, at: now)
    }
    actions += questions.map { answer($0, result) }
    guard let problem, !pause.isOver(at: now) else { return }
    // The others would fail as well, and each would ask the server again.
    actions += waiting.map { .fail($0.asker, .failed(host: provider.host, problem)) }
    waiting = []
  }

  /// Whether the answer can be read, whichever query it is for.
  private func check(_ reply: FetchResponse) throws(FetchProblem) -> WebResponse {
    switch reply {
    case .answered(let response):
      _ = try provider.places(response, to: ForwardQuery(.text("")))
      return response
    case .failed(let problem): throw problem
    }
  }

  /// The answer to a query from a response that was checked.
  private func answer(_ question: Question, _ result: Result<WebResponse, FetchProblem>) -> Action {
    do throws(FetchProblem) {
      let response = try result.get()
      switch question.request {
      case .at(let query):
        let place = try provider.place(response, to: query)
        return .answer(question.asker, place.map { [$0] } ?? [])
      case .find(let query): return .answer(question.asker, try provider.places(response, to: query))
      }
    } catch {
      return .fail(question.asker, .failed(host: provider.host, error))
    }
  }

  private mutating func keep(_ answer: Answer, of address: WebAddress) {
    answers[address] = answer
    while answers.count > Self.mostAnswers
      || answers.values.reduce(0, { $0 + $1.response.body.count }) > Self.mostBytes,
      let oldest = answers.min(by: { $0.value.at < $1.value.at })
    {
      answers[oldest.key] = nil
    }
  }
}

/// The server of places in the settings.
package struct PlaceProviderSettings: Hashable, Sendable {
  /// `nil`: none.
  package var provider: PlaceProvider?
  /// `nil`: not set, so that the server is not asked.
  package var contact: String?

  package init(provider: PlaceProvider? = nil, contact: String? = nil) {
    (self.provider, self.contact) = (provider, contact)
  }

  /// The decisions about that server; throws why none is asked.
  package func inquiry() throws(PlacesFailure) -> PlaceInquiry {
    guard let provider else { throw .noProvider }
    guard let contact else { throw .noContact }
    return PlaceInquiry(provider, contact: contact)
  }
}
