import LocationIPC
import LocationdClient
import Positioning
import WireFormats

/// Reads the access point database page by page.
final class KnowledgeReading {
  private let host: any ServiceAccess
  private var kinds: ArraySlice<WiFiKnowledge>
  private let body: ([KnownAccessPoint]) -> CommandStatus?

  /// - Parameter body: processes a page; returns the exit status if it cannot go on.
  init(
    host: any ServiceAccess, of kinds: [WiFiKnowledge], _ body: @escaping ([KnownAccessPoint]) -> CommandStatus?
  ) {
    self.host = host
    self.kinds = kinds[...]
    self.body = body
  }

  func execute() -> CommandStatus {
    guard let first = kinds.first else { return .done }
    return Conversation(host).execute(first: { .wifi($0, .read(first, after: nil)) }) { self.step(after: $0) }
  }

  private func step(after event: ServiceEvent) -> Conversation.Step {
    guard case .wifi(_, .places(let places, let next)) = event else { return Conversation.misunderstood() }
    if let status = body(places) { return .end(status) }
    if next == nil { kinds.removeFirst() }
    guard let kind = kinds.first else { return .end(.done) }
    return .ask { .wifi($0, .read(kind, after: next)) }
  }
}
