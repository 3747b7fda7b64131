import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationIPC
package import Positioning

/// Requests the positions of access points that are unknown on this machine from a provider.
package final class GeolocationProvider {
  private let loop: EventLoop
  private let knowledge: AccessPointDatabase
  private let address: WebAddress
  private let link: FetchLink
  /// Contains the stored answers, which are loaded at the first request.
  private var inquiry: GeolocationScheduler?
  private unowned let observer: any OutsideObserver

  package init(
    loop: EventLoop, knowledge: AccessPointDatabase, address: WebAddress, link: FetchLink, observer: any OutsideObserver
  ) {
    self.loop = loop
    self.observer = observer
    self.knowledge = knowledge
    self.address = address
    self.link = link
  }

  /// Whether a request is waiting for an answer.
  package var isAsking: Bool { inquiry?.isAsking ?? false }

  package var standing: NetworkSourceStatus { NetworkSourceStatus(name: address.host, problem: inquiry?.problem) }

  /// The position of these access points, from the provider's answers.
  package func position(of observations: [AccessPointObservation]) -> WiFiPosition? {
    begun.position(of: observations, at: loop.now, on: WallClock.believable)
  }

  /// Requests a position that is needed and cannot be computed from local data.
  package func ask(_ observations: [AccessPointObservation]) { handle(.wanted(observations)) }

  /// Ends the pending request, and drops the answers in memory; the stored answers are loaded again at the next
  /// request.
  package func forget() {
    link.close()
    inquiry = nil
  }

  private var begun: GeolocationScheduler {
    if let inquiry { return inquiry }
    let begun = GeolocationScheduler(address: address, answers: knowledge.keptAnswers())
    inquiry = begun
    return begun
  }

  private func handle(_ input: GeolocationScheduler.Input) {
    var inquiry = begun
    self.inquiry = nil
    let actions = inquiry.handle(input, at: loop.now, on: WallClock.believable)
    self.inquiry = inquiry
    for action in actions {
      switch action {
      case .ask(let order):
        link.ask(order) { [unowned self] reply in
          handle(.replied(reply))
          observer.providerAnswered()
        }
      case .keep(let answer): knowledge.keep(answer)
      }
    }
  }
}
