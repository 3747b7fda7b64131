import LinuxIO
package import Positioning

/// Which outside services may be asked; none unless configured.
package struct NetworkLocationSettings: Hashable, Sendable {
  /// A configured value.
  package enum Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    case off
    /// The value is not valid.
    case bad
    case on(Value)

    fileprivate init(_ text: String?, _ parse: (String) -> Value?) {
      self = text.map { parse($0).map { .on($0) } ?? .bad } ?? .off
    }
  }

  package let provider: Choice<WebAddress>
  package let tiles: Choice<TileSource>

  /// - Parameters:
  ///   - provider: the provider's address; `nil`: none.
  ///   - tiles: a folder or an address; `nil`: none.
  package init(provider: String?, tiles: String?) {
    self.provider = Choice(provider) { WebAddress($0) }
    self.tiles = Choice(tiles) { TileSource($0) }
  }

  /// The settings from the environment.
  package static var ofEnvironment: NetworkLocationSettings {
    NetworkLocationSettings(provider: ServiceVariables.wifiProvider, tiles: ServiceVariables.wifiTiles)
  }

  /// The problems of these settings, a sentence each.
  package var complaints: [String] {
    var complaints: [String] = []
    if provider == .bad {
      complaints.append(
        "LOCATIOND_WIFI_PROVIDER is not an http or https address, and no provider is used: set it to such an address.")
    }
    if tiles == .bad {
      complaints.append(
        "LOCATIOND_WIFI_TILES is not a source of tiles, and none are fetched: set it to an absolute folder, or an http or https address."
      )
    }
    return complaints
  }
}
