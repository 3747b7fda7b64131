import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import Positioning

/// What is had of access points from outside of this machine: a provider's answers and tiles, each where it is set, and nothing where
/// nothing is.
final class OutsideKnowledge {
  private let settings: OutsideSettings
  private let provider: OutsideProvider?
  private let tiles: OutsideTiles?

  /// - Parameter onNews: called from the loop when a place may be known that was not.
  init(
    loop: EventLoop, knowledge: PlaceKnowledge, settings: OutsideSettings = .ofEnvironment,
    onNews: @escaping () -> Void
  ) {
    self.settings = settings
    // Each has a way of its own, so that a position is asked for while a tile comes; the unit's fetcher takes them in turn.
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

  /// Whether somebody may know what is not known here.
  var hasProvider: Bool { provider != nil }

  /// Whether an answer is waited for.
  var isAsking: Bool { provider?.isAsking ?? false }

  /// Where these are, as a provider has said.
  func position(of sightings: [AccessPointSighting]) -> WiFiPosition? { provider?.position(of: sightings) }

  /// A position is wanted, and nothing here knows where these are.
  func ask(_ sightings: [AccessPointSighting]) { provider?.ask(sightings) }

  /// Where the machine is.
  func note(_ place: Coordinate) { tiles?.note(place) }

  /// Nothing that was had is to be known any more.
  func forget() {
    provider?.forget()
    tiles?.forget()
  }

  /// Adds how it is with each.
  func describe(_ account: inout WiFiAccount) {
    account.provider = settings.provider == .bad ? Self.bad("LOCATIOND_WIFI_PROVIDER") : provider?.standing
    account.tileSource = settings.tiles == .bad ? Self.bad("LOCATIOND_WIFI_TILES") : tiles?.standing
  }

  private static func bad(_ name: String) -> OutsideStanding { OutsideStanding(name: name, problem: .badAddress) }
}
