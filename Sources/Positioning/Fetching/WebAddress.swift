/// An address of the web that is asked: http or https, and nothing else.
package struct WebAddress: Hashable, Sendable {
  /// Longer ones are nobody's.
  package static let longestText = 1024

  /// As it was given, without what stands behind it in vain.
  package let text: String

  /// Whether what is said there, and who says it, is secret.
  package var isSecret: Bool { text.utf8.prefix(8).elementsEqual("https://".utf8) }

  /// `nil` for another scheme, without a machine's name, and with what no address has: blanks, what is not ASCII, a fragment.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Visible ASCII (RFC 3986, 2); what only some programs take as it stands is left to them.
    guard bytes.count <= Self.longestText,
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Self.foreign.contains($0) })
    else { return nil }
    guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else { return nil }
    let rest = bytes.dropFirst(scheme.utf8.count)
    let machine = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard let first = machine.first, first != UInt8(ascii: ":"), first != UInt8(ascii: "@") else { return nil }
    self.text = text
  }

  private static let foreign = Array("\"<>\\^`{|}#".utf8)

  /// What is found there under a path, whether or not the address ends in a slash.
  package func appending(_ path: String) -> WebAddress? {
    WebAddress(text + (text.utf8.last == UInt8(ascii: "/") ? "" : "/") + path)
  }

  /// The machine's name, as it is shown: never a key in a query, nor a name and password.
  package var host: String {
    let rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    return String(rest.split(separator: "@").last ?? rest)
  }
}
