package import Geodesy
package import WireFormats

/// When a provider is asked where this machine is, and what it has answered: only where that is wanted, one question at a time, and
/// none again for the same place.
package struct ProviderInquiry: Sendable {
  package enum Input: Sendable {
    /// A position is wanted, and nothing here knows where these are.
    case wanted([AccessPointSighting])
    /// What came of the question.
    case replied(FetchReply)
  }

  package enum Action: Hashable, Sendable {
    case ask(FetchOrder)
    /// To be found again by the next process.
    case keep(KeptAnswer)
  }

  /// Answers that are kept, the oldest go first: a year of a person's places.
  package static let mostAnswers = 256
  /// Who drives past unknown access points is asked for no more often.
  private static let leastInterval: Duration = .seconds(30)

  private let address: WebAddress
  /// Oldest first.
  private var answers: [KeptAnswer]
  private var question: GeolocateRequest?
  private var askedAt: Instant?
  private var pause = FetchPause()
  /// Why the last question had no answer.
  package private(set) var problem: FetchProblem?

  /// - Parameter answers: what was kept, oldest first.
  package init(address: WebAddress, answers: [KeptAnswer]) {
    self.address = address
    self.answers = answers.suffix(Self.mostAnswers)
  }

  /// Whether an answer is waited for.
  package var isAsking: Bool { question != nil }

  /// What is kept, oldest first.
  package var kept: [KeptAnswer] { answers }

  /// Where these are, as the provider has said; `nil`: it was not asked, or does not know.
  package func position(
    of sightings: [AccessPointSighting], at now: Instant, on wall: GNSSTime?
  ) -> WiFiPosition? {
    guard let request = GeolocateRequest(sightings, at: now),
      case .place(let coordinate, let radius68)? = answer(to: request, on: wall)?.answer,
      let heardAt = request.sightings.map(\.heardAt).max()
    else { return nil }
    return WiFiPosition(
      coordinate: coordinate, radius68: radius68, heardAt: heardAt, count: request.sightings.count)
  }

  package mutating func handle(_ input: Input, at now: Instant, on wall: GNSSTime?) -> [Action] {
    switch input {
    case .wanted(let sightings):
      guard !isAsking, pause.isOver(at: now), askedAt.map({ now - $0 >= Self.leastInterval }) ?? true,
        let request = GeolocateRequest(sightings, at: now), answer(to: request, on: wall) == nil,
        let order = FetchOrder(.position, address, body: request.body)
      else { return [] }
      question = request
      askedAt = now
      return [.ask(order)]
    case .replied(let reply):
      guard let question else { return [] }
      self.question = nil
      do throws(FetchProblem) {
        return [.keep(take(try Self.answer(in: reply), to: question, on: wall))]
      } catch {
        problem = error
        pause.failed(reply, at: now)
        return []
      }
    }
  }

  private static func answer(in reply: FetchReply) throws(FetchProblem) -> GeolocateAnswer {
    switch reply {
    case .answered(let answer): try GeolocateAnswer(answer)
    case .failed(let problem): throw problem
    }
  }

  private func answer(to request: GeolocateRequest, on wall: GNSSTime?) -> KeptAnswer? {
    answers.last { $0.isOfPlace(request) && $0.holds(on: wall) }
  }

  private mutating func take(
    _ answer: GeolocateAnswer, to question: GeolocateRequest, on wall: GNSSTime?
  ) -> KeptAnswer {
    pause.succeeded()
    problem = nil
    let kept = KeptAnswer(bssids: question.sightings.map(\.bssid), answer: answer, answeredAt: wall)
    answers.append(kept)
    if answers.count > Self.mostAnswers { answers.removeFirst(answers.count - Self.mostAnswers) }
    return kept
  }
}

/// A provider's answer and what it was asked, so that nobody asks again at the same place.
package struct KeptAnswer: Hashable, Sendable {
  /// What the question told, strongest first; at most `GeolocateRequest.mostCount`.
  package var bssids: [BSSID]
  package var answer: GeolocateAnswer
  /// When it was given; `nil`: the clock was not set.
  package var answeredAt: GNSSTime?

  package init(bssids: [BSSID], answer: GeolocateAnswer, answeredAt: GNSSTime?) {
    self.bssids = bssids
    self.answer = answer
    self.answeredAt = answeredAt
  }

  /// Access points that have moved are found out within a week; new ones may be known tomorrow.
  private static let (lifeOfPlace, lifeOfNothing): (Duration, Duration) = (.seconds(7 * 86_400), .seconds(86_400))
  /// Whether it still holds; where nobody knows the time, it does.
  func holds(on wall: GNSSTime?) -> Bool {
    FetchedAge.holds(answeredAt, for: answer == .notFound ? Self.lifeOfNothing : Self.lifeOfPlace, on: wall)
  }

  /// Whether it was asked where these are heard: most of what was strong is heard, and most of what is strong was told.
  func isOfPlace(_ request: GeolocateRequest) -> Bool {
    let told = request.sightings.map(\.bssid)
    return SamePlace.isMostHeard(of: bssids, in: Set(told)) && SamePlace.isMostHeard(of: told, in: Set(bssids))
  }
}
