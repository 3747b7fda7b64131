import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import Positioning

/// Positions of access points from outside of this machine: a provider's answers, and tiles. Each is used only if configured.
final class OutsideKnowledge {
  private let settings: OutsideSettings
  private let provider: OutsideProvider?
  private let tiles: OutsideTiles?

  /// - Parameter onNews: called from the loop when a new position may be available.
  init(
    loop: EventLoop, knowledge: PlaceKnowledge, settings: OutsideSettings = .ofEnvironment,
    onNews: @escaping () -> Void
  ) {
    self.settings = settings
    // Each has its own link, so that a position can be requested while a tile is fetched; the unit's fetcher serves them in turn.
    if case .on(let address) = settings.provider {
      provider = OutsideProvider(
        loop: loop, knowledge: knowledge, address: address, link: FetchLink(loop: loop))
    } else {
      provider = nil
    }
    if case .on(let source) = settings.tiles {
      tiles = OutsideTiles(loop: loop, knowledge: knowledge, source: source, link: FetchLink(loop: loop))
    } else {
      tiles = nil
    }
    provider?.onAnswer = onNews
    tiles?.onTile = onNews
  }

  /// Whether a provider is configured, which may know positions that are unknown here.
  var hasProvider: Bool { provider != nil }

  /// Whether a request is waiting for an answer.
  var isAsking: Bool { provider?.isAsking ?? false }

  /// The position of these access points, from a provider's answers.
  func position(of sightings: [AccessPointSighting]) -> WiFiPosition? { provider?.position(of: sightings) }

  /// Requests a position that is needed and cannot be computed from local data.
  func ask(_ sightings: [AccessPointSighting]) { provider?.ask(sightings) }

  /// Reports where the machine is.
  func note(_ place: Coordinate) { tiles?.note(place) }

  /// Deletes everything that was fetched.
  func forget() {
    provider?.forget()
    tiles?.forget()
  }

  /// Adds the state of both.
  func describe(_ account: inout WiFiAccount) {
    account.provider = settings.provider == .bad ? Self.bad("LOCATIOND_WIFI_PROVIDER") : provider?.standing
    account.tileSource = settings.tiles == .bad ? Self.bad("LOCATIOND_WIFI_TILES") : tiles?.standing
  }

  private static func bad(_ name: String) -> OutsideStanding { OutsideStanding(name: name, problem: .badAddress) }
}
