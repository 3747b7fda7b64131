import LocationIPC
import WireFormats

/// Reads the access point database page by page.
final class AccessPointReading {
  private let session: CommandSession
  private let kinds: [AccessPointOrigin]
  private let body: ([KnownAccessPoint]) -> CommandStatus?

  /// - Parameter body: processes a page; returns the exit status if reading cannot continue, otherwise `nil`.
  init(
    _ session: CommandSession, of kinds: [AccessPointOrigin], _ body: @escaping ([KnownAccessPoint]) -> CommandStatus?
  ) {
    (self.session, self.kinds, self.body) = (session, kinds, body)
  }

  func execute() -> CommandStatus { session.perform(page(of: kinds[...], after: nil)) }

  private func page(of kinds: ArraySlice<AccessPointOrigin>, after address: BSSID?) -> RequestStep {
    guard let kind = kinds.first else { return .end(.done) }
    return .send(.knownAccessPoints(kind, after: address)) { [unowned self] page in
      if let status = body(page.places) { return .end(status) }
      return self.page(of: page.next == nil ? kinds.dropFirst() : kinds, after: page.next)
    }
  }
}
