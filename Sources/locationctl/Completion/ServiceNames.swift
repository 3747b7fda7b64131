import ArgumentParser
import FleetDestinations
import LocationIPC
import LocationPolicy
import PlacesStore
import Regions

/// Completions of arguments for the shell: names that the daemon knows, of which there are none without a daemon or if it does
/// not answer at once; and the names of imported data.
enum ServiceNames {
  static let logs = CompletionKind.custom { _, _, _ in
    offered { NameSearch($0, .logs) { ($0.map(\.name), nil) } }
  }

  static let fleets = CompletionKind.custom { _, _, _ in
    offered { NameSearch<[FleetReport]>($0, .fleet) { ($0.map(\.name), nil) } }
  }

  static let places = CompletionKind.custom { _, _, _ in PlacesFolders.files().map(\.name).filter(isPlainWord) }

  static let regions = CompletionKind.custom { _, _, _ in
    offered { session in
      NameSearch(session, .regions(of: RegionCommand.list, from: 0)) { page in
        (page.regions.map(\.region.identifier), page.next.map { .regions(of: RegionCommand.list, from: $0) })
      }
    }
  }

  static let devices = CompletionKind.custom { _, _, _ in
    offered { NameSearch($0, .devices) { ($0.map(\.id), nil) } }
  }

  /// The kinds of sources that need no address or path, and the ports of receivers.
  static let sources = CompletionKind.custom { _, _, _ in
    ["auto", "gpsd", "wifi", "simulator"] + offered { NameSearch($0, .devices) { ($0.map(\.path), nil) } }
  }

  /// The names that a search finds. The parser's completion scripts pass them to the shell without quotes; therefore a
  /// name is left out if a shell would not read it as one word of exactly these characters.
  private static func offered<Reply>(_ search: (CommandSession) -> NameSearch<Reply>) -> [String] {
    guard let daemon = CommandSession.daemonForCompletion() else { return [] }
    return search(CommandSession(daemon)).result().filter(isPlainWord)
  }

  package static func isPlainWord(_ name: String) -> Bool {
    !name.isEmpty && name.first != "-"
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+", "/", ":", "@", ",", "=": true
        default: scalar.value >= 0x80 && scalar.properties.isAlphabetic
        }
      }
  }
}

/// A request for names, and for the following pages of a list. It ends silently, because a message would appear in the
/// middle of a command line.
final class NameSearch<Reply>: CommandHandler {
  /// The names of a page, and the request for the next page; `nil` if the page is the last one.
  typealias Page = (names: [String], next: ServiceRequest<Reply>?)

  /// Maximum time: a completion that takes longer disturbs typing.
  private static var timeout: Duration { .milliseconds(500) }
  /// Maximum number of names: more do not fit on a screen.
  private static var limit: Int { 500 }

  let session: CommandSession
  private let first: ServiceRequest<Reply>
  private let page: (Reply) -> Page
  private var names: [String] = []
  private var requests: UInt32 = 0

  init(_ session: CommandSession, _ first: ServiceRequest<Reply>, page: @escaping (Reply) -> Page) {
    (self.session, self.first, self.page) = (session, first, page)
  }

  func result() -> [String] {
    _ = run()
    return names
  }

  func start() {
    session.setTimer(after: Self.timeout) { [unowned self] in session.finish(.done) }
    send(first)
  }

  private func send(_ request: ServiceRequest<Reply>) {
    requests += 1
    session.send(request, as: RequestID(requests), for: self)
  }

  func receive(_ reply: Reply, to request: RequestID) {
    let (found, next) = page(reply)
    names += found.prefix(Self.limit - names.count)
    guard let next, names.count < Self.limit else { return session.finish(.done) }
    send(next)
  }

  func receive(_ failure: LocationFailure, of request: RequestID) { session.finish(.done) }
  func receiveMismatch(to request: RequestID) { session.finish(.done) }
}
