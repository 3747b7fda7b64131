import Geodesy
import LocalHTTP
import LocationIPC
import LocationPolicy
import LocationdClient
import MapServing

/// Reads a log page by page, and answers one request with it. The session outlives it.
final class TrackReading {
  private unowned let session: MapSession
  private let number: LocalServer.RequestNumber
  private var columns = TrackColumns()

  init(_ session: MapSession, _ number: LocalServer.RequestNumber) { (self.session, self.number) = (session, number) }

  func begin(_ name: String, from: GNSSTime?, to: GNSSTime?) { read(.read(name: name, from: from, to: to)) }

  private func read(_ request: LogRequest) {
    session.requests.send(.logPage(request)) { [self] event in
      switch event {
      case .progress: break
      case .failed(let failure): session.server.answer(number, MapSession.response(failure))
      case .reply(let page):
        // The service reads the next page meanwhile.
        let continues = page.next != nil && !columns.isCut
        if let next = page.next, continues { read(.readOn(next)) }
        for entry in page.entries { columns.append(entry) }
        guard !continues else { return }
        session.server.answer(number, HTTPResponse(.ok, .json, columns.json))
      }
    }
  }
}

/// Reads the regions of all lists of the user, and answers one request with them.
final class RegionReading {
  private unowned let session: MapSession
  private let number: LocalServer.RequestNumber
  private var found: [(region: MonitoredRegion, list: String)] = []

  /// More regions than a map can show; the service permits more to a user.
  private static let most = 2000

  init(_ session: MapSession, _ number: LocalServer.RequestNumber) { (self.session, self.number) = (session, number) }

  func begin() {
    session.requests.send(.monitoringLists) { [self] event in
      switch event {
      case .progress: break
      case .failed(let failure): session.server.answer(number, MapSession.response(failure))
      case .reply(let lists): read(lists.filter { $0.regions > 0 }.map(\.name)[...], from: 0)
      }
    }
  }

  private func read(_ lists: ArraySlice<String>, from index: UInt32) {
    guard let list = lists.first, found.count < Self.most else {
      let body = MapJSON.regions(found, own: MapSession.list)
      return session.server.answer(number, HTTPResponse(.ok, .json, body))
    }
    session.requests.send(.regions(of: list, from: index)) { [self] event in
      switch event {
      case .progress: break
      case .failed(let failure): session.server.answer(number, MapSession.response(failure))
      case .reply(let page):
        found += page.regions.map { ($0, list) }
        if let next = page.next { read(lists, from: next) } else { read(lists.dropFirst(), from: 0) }
      }
    }
  }
}
