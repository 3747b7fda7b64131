import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationPolicy
package import LocationdService
import Positioning

/// Asks the configured server for places, for the daemon's clients.
package final class PlaceProviderSource {
  private let loop: EventLoop
  private let link: FetchLink
  private var settings: PlaceProviderSettings
  /// `nil`: no server is asked, or there was no query yet.
  private var inquiry: PlaceInquiry?
  private let answer: (ClientID, ServiceEvent) -> Void
  private lazy var timer = EarliestTimer(loop) { [unowned self] in handle(.wake) }

  /// - Parameter answer: sends a client its answer.
  package init(
    loop: EventLoop, link: FetchLink, settings: PlaceProviderSettings,
    answer: @escaping (ClientID, ServiceEvent) -> Void
  ) {
    (self.loop, self.link, self.settings, self.answer) = (loop, link, settings, answer)
  }

  /// Uses another server from now on. The queries that wait fail, and the answers of the previous one are dropped.
  package func apply(_ new: PlaceProviderSettings) {
    guard new != settings else { return }
    settings = new
    link.close()
    let waiting = pending
    (inquiry, pending) = (nil, [])
    for asker in waiting.sorted(by: { ($0.client, $0.request.rawValue) < ($1.client, $1.request.rawValue) }) {
      fail(asker, .busy)
    }
    timer.cancel()
  }

  /// The queries without an answer.
  private var pending: Set<PlaceInquiry.Asker> = []

  package func ask(_ request: PlacesRequest, _ id: RequestID, from client: ClientID) {
    let asker = PlaceInquiry.Asker(client, id)
    do throws(PlacesFailure) {
      if inquiry == nil { inquiry = try settings.inquiry() }
    } catch {
      return fail(asker, error)
    }
    pending.insert(asker)
    handle(.asked(asker, request))
  }

  /// Cancels a query; returns whether there was one.
  package func cancel(_ client: ClientID, _ id: RequestID) -> Bool {
    let asker = PlaceInquiry.Asker(client, id)
    guard pending.remove(asker) != nil else { return false }
    handle(.canceled(asker))
    return true
  }

  /// Cancels the queries of a client.
  package func leave(_ client: ClientID) {
    guard pending.contains(where: { $0.client == client }) else { return }
    pending = pending.filter { $0.client != client }
    handle(.left(client))
  }

  private func fail(_ asker: PlaceInquiry.Asker, _ failure: PlacesFailure) {
    answer(asker.client, .failed(asker.request, .places(failure)))
  }

  private func handle(_ input: PlaceInquiry.Input) {
    guard let actions = inquiry?.handle(input, at: loop.now) else { return }
    timer.arm(for: inquiry?.nextDeadline)
    for action in actions {
      switch action {
      case .fetch(let request): link.ask(request) { [unowned self] in handle(.replied($0)) }
      case .answer(let asker, let places):
        guard pending.remove(asker) != nil else { continue }
        answer(asker.client, .places(asker.request, places))
      case .fail(let asker, let failure):
        guard pending.remove(asker) != nil else { continue }
        fail(asker, failure)
      }
    }
  }
}
