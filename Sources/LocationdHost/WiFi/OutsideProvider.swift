import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationIPC
package import Positioning

/// Asks a provider where these access points are, where nothing here knows it.
package final class OutsideProvider {
  private let loop: EventLoop
  private let knowledge: PlaceKnowledge
  private let address: WebAddress
  private let link: FetchLink
  /// With what was kept, which is read when something is asked for the first time.
  private var inquiry: ProviderInquiry?
  /// Called from the loop when a question has been answered, or will not be.
  package var onAnswer: (() -> Void)?

  package init(loop: EventLoop, knowledge: PlaceKnowledge, address: WebAddress, link: FetchLink) {
    self.loop = loop
    self.knowledge = knowledge
    self.address = address
    self.link = link
  }

  /// Whether an answer is waited for.
  package var isAsking: Bool { inquiry?.isAsking ?? false }

  package var standing: OutsideStanding { OutsideStanding(name: address.host, problem: inquiry?.problem) }

  /// Where these are, as it has said.
  package func position(of sightings: [AccessPointSighting]) -> WiFiPosition? {
    begun.position(of: sightings, at: loop.now, on: WallClock.believable)
  }

  /// A position is wanted, and nothing here knows where these are.
  package func ask(_ sightings: [AccessPointSighting]) { handle(.wanted(sightings)) }

  /// Asks nothing any more, and forgets what it was told.
  package func forget() {
    link.close()
    inquiry = nil
  }

  private var begun: ProviderInquiry {
    if let inquiry { return inquiry }
    let begun = ProviderInquiry(address: address, answers: knowledge.keptAnswers())
    inquiry = begun
    return begun
  }

  private func handle(_ input: ProviderInquiry.Input) {
    var inquiry = begun
    self.inquiry = nil
    let actions = inquiry.handle(input, at: loop.now, on: WallClock.believable)
    self.inquiry = inquiry
    for action in actions {
      switch action {
      case .ask(let order):
        link.ask(order) { [unowned self] reply in
          handle(.replied(reply))
          onAnswer?()
        }
      case .keep(let answer): knowledge.keep(answer)
      }
    }
  }
}
