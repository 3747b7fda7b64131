package import Geodesy
package import WireFormats

/// Decides when to ask a provider for this machine's position, and keeps its answers: only if a position is required, one request
/// at a time, and none again for the same place.
package struct GeolocationScheduler: Sendable {
  package enum Input: Sendable {
    /// A position is required, and no local source knows these access points.
    case wanted([AccessPointObservation])
    /// The result of the request.
    case replied(FetchResponse)
  }

  package enum Action: Hashable, Sendable {
    case ask(FetchRequest)
    /// Store the answer for the next process.
    case keep(CachedGeolocation)
  }

  /// Greatest number of answers kept, enough for a year of a person's places; the oldest are dropped first.
  package static let mostAnswers = 256
  /// The least time between two requests of a machine that moves past unknown access points.
  private static let leastInterval: Duration = .seconds(30)

  private let address: WebAddress
  /// Oldest first.
  private var answers: [CachedGeolocation]
  private var question: GeolocateRequest?
  private var askedAt: Instant?
  private var pause = FetchPause()
  /// Why the last request had no answer.
  package private(set) var problem: FetchProblem?

  /// - Parameter answers: the stored answers, oldest first.
  package init(address: WebAddress, answers: [CachedGeolocation]) {
    self.address = address
    self.answers = answers.suffix(Self.mostAnswers)
  }

  /// Whether a request is pending.
  package var isAsking: Bool { question != nil }

  /// The answers kept, oldest first.
  package var kept: [CachedGeolocation] { answers }

  /// The provider's position for these access points; `nil` if it was not asked for them, or knows none of them.
  package func position(
    of observations: [AccessPointObservation], at now: Instant, on wall: GNSSTime?
  ) -> WiFiPosition? {
    guard let request = GeolocateRequest(observations, at: now),
      case .place(let coordinate, let radius68)? = answer(to: request, on: wall)?.answer,
      let receivedAt = request.observations.map(\.receivedAt).max()
    else { return nil }
    return WiFiPosition(
      coordinate: coordinate, radius68: radius68, receivedAt: receivedAt, count: request.observations.count)
  }

  package mutating func handle(_ input: Input, at now: Instant, on wall: GNSSTime?) -> [Action] {
    switch input {
    case .wanted(let observations):
      guard !isAsking, pause.isOver(at: now), askedAt.map({ now - $0 >= Self.leastInterval }) ?? true,
        let request = GeolocateRequest(observations, at: now), answer(to: request, on: wall) == nil,
        let order = FetchRequest(.position, address, body: request.body)
      else { return [] }
      question = request
      askedAt = now
      return [.ask(order)]
    case .replied(let reply):
      guard let question else { return [] }
      self.question = nil
      do throws(FetchProblem) {
        return [.keep(receive(try Self.answer(in: reply), to: question, on: wall))]
      } catch {
        problem = error
        pause.failed(reply, at: now)
        return []
      }
    }
  }

  private static func answer(in reply: FetchResponse) throws(FetchProblem) -> GeolocateResponse {
    switch reply {
    case .answered(let answer): try GeolocateResponse(answer)
    case .failed(let problem): throw problem
    }
  }

  private func answer(to request: GeolocateRequest, on wall: GNSSTime?) -> CachedGeolocation? {
    answers.last { $0.isOfPlace(request) && $0.holds(on: wall) }
  }

  private mutating func receive(
    _ answer: GeolocateResponse, to question: GeolocateRequest, on wall: GNSSTime?
  ) -> CachedGeolocation {
    pause.succeeded()
    problem = nil
    let kept = CachedGeolocation(bssids: question.observations.map(\.bssid), answer: answer, answeredAt: wall)
    answers.append(kept)
    if answers.count > Self.mostAnswers { answers.removeFirst(answers.count - Self.mostAnswers) }
    return kept
  }
}

/// A provider's answer and its request, so that the same place is not requested again.
package struct CachedGeolocation: Hashable, Sendable {
  /// The access points of the request, strongest first; at most `GeolocateRequest.mostCount`.
  package var bssids: [BSSID]
  package var answer: GeolocateResponse
  /// When the provider gave it; `nil`: the clock was not set.
  package var answeredAt: GNSSTime?

  package init(bssids: [BSSID], answer: GeolocateResponse, answeredAt: GNSSTime?) {
    self.bssids = bssids
    self.answer = answer
    self.answeredAt = answeredAt
  }

  /// Providers notice within a week that access points have moved; new ones may be known tomorrow.
  private static let (lifeOfPlace, lifeOfNothing): (Duration, Duration) = (.seconds(7 * 86_400), .seconds(86_400))
  /// Whether the answer is still valid; it is if the time is unknown.
  func holds(on wall: GNSSTime?) -> Bool {
    FetchedAge.holds(answeredAt, for: answer == .notFound ? Self.lifeOfNothing : Self.lifeOfPlace, on: wall)
  }

  /// Whether the answer is for the place of `request`: most of its strong access points are in the request, and most of the
  /// request's are in it.
  func isOfPlace(_ request: GeolocateRequest) -> Bool {
    let reported = request.observations.map(\.bssid)
    return ScanComparison.isMostReceived(of: bssids, in: Set(reported))
      && ScanComparison.isMostReceived(of: reported, in: Set(bssids))
  }
}
