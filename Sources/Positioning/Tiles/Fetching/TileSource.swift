/// Where tiles come from: a folder, or an address, of files as `wifi export` writes them.
package enum TileSource: Hashable, Sendable {
  /// Absolute.
  case folder(String)
  case web(WebAddress)

  /// `nil` for what is neither.
  package init?(_ text: String) {
    if text.hasPrefix("/"), !text.utf8.contains(0) {
      self = .folder(text)
    } else if let address = WebAddress(text), !text.utf8.contains(UInt8(ascii: "?")) {
      self = .web(address)
    } else {
      return nil
    }
  }
}
