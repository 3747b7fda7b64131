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
}
