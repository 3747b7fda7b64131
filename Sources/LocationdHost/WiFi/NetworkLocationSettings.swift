package import Positioning

/// The external services that may be used; none unless configured.
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
  /// The names of the two settings, for messages about values that are not valid.
  package let names: Names

  /// The names of the settings in messages for users.
  package struct Names: Hashable, Sendable {
    package var provider: String
    package var tiles: String

    package init(provider: String = "wifi-provider", tiles: String = "wifi-tiles") {
      (self.provider, self.tiles) = (provider, tiles)
    }
  }

  /// - Parameters:
  ///   - provider: the provider's address; `nil` for none.
  ///   - tiles: a folder or an address; `nil` for none.
  ///   - names: the names of the settings, with the places where they are set.
  package init(provider: String?, tiles: String?, names: Names = Names()) {
    self.names = names
    self.provider = Choice(provider) { WebAddress($0) }
    self.tiles = Choice(tiles) { TileSource($0) }
  }
}
