import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import Positioning

/// Receives the results of external sources, on the loop's thread.
package protocol OutsideObserver: AnyObject {
  /// A provider has answered a request, or the request has failed.
  func providerAnswered()
  /// A tile was stored, or cannot be stored.
  func tileStored()
  /// A request for a tile has a result.
  func tileReplied()
}

/// Positions of access points from external sources: a provider's answers, and tiles. Each source is used only if
/// configured.
final class NetworkLocationSource {
  private let settings: NetworkLocationSettings
  private let provider: GeolocationProvider?
  private let tiles: RemoteTileSource?

  init(
    loop: EventLoop, knowledge: AccessPointDatabase, settings: NetworkLocationSettings,
    observer: any OutsideObserver
  ) {
    self.settings = settings
    // Each source has its own link, because a link carries one request at a time: a position can be requested while a tile
    // is fetched. The fetcher behind the daemon's socket serves both links in turn.
    if case .on(let address) = settings.provider {
      provider = GeolocationProvider(
        loop: loop, knowledge: knowledge, address: address, link: FetchLink(loop: loop), observer: observer)
    } else {
      provider = nil
    }
    if case .on(let source) = settings.tiles {
      tiles = RemoteTileSource(
        loop: loop, knowledge: knowledge, source: source, link: FetchLink(loop: loop), observer: observer)
    } else {
      tiles = nil
    }
  }

  /// Whether a provider is configured, which may know positions that are unknown on this machine.
  var hasProvider: Bool { provider != nil }

  /// Whether a request is waiting for an answer.
  var isAsking: Bool { provider?.isAsking ?? false }

  /// The position of these access points, from a provider's answers.
  func position(of observations: [AccessPointObservation]) -> WiFiPosition? { provider?.position(of: observations) }

  /// Requests a position that is needed and cannot be computed from local data.
  func ask(_ observations: [AccessPointObservation]) { provider?.ask(observations) }

  /// Reports the machine's position, at which tiles are needed.
  func note(_ place: Coordinate) { tiles?.note(place) }

  /// Ends all requests, and drops the answers in memory. Stored data is kept; `AccessPointDatabase.forget` deletes it.
  func forget() {
    provider?.forget()
    tiles?.forget()
  }

  /// Adds the state of both sources.
  func describe(_ account: inout WiFiAccount) {
    account.provider = settings.provider == .bad ? Self.bad(settings.names.provider) : provider?.standing
    account.tileSource = settings.tiles == .bad ? Self.bad(settings.names.tiles) : tiles?.standing
  }

  private static func bad(_ name: String) -> NetworkSourceStatus {
    NetworkSourceStatus(name: name, problem: .badAddress)
  }
}
