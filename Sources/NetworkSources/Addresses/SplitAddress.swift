import Geodesy

/// The parts of `SCHEME://AUTHORITY/PATH?QUERY` (RFC 3986, 3), checked only for credentials.
struct SplitAddress {
  /// All of it.
  let text: String
  let scheme: Substring
  let authority: Substring
  /// With its leading slash; empty if the address has no path.
  let path: Substring
  /// Without the question mark; `nil` if there is none.
  let query: Substring?

  init(_ text: String) throws(NetworkSourceError) {
    guard let mark = text.firstPlace(of: "://") else {
      guard !text.contains("@") else { throw .credentials }
      throw .unknownScheme(String(text.prefix(80)))
    }
    self.text = text
    let scheme = text[..<mark.lowerBound]
    self.scheme = scheme
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    self.authority = authority
    // A password may contain a slash or a question mark, so the whole address is searched for `@`.
    guard !rest.contains("@") else {
      throw CasterAddress.schemes.contains(String(scheme)) ? .credentials : .needlessCredentials
    }
    let tail = rest[authority.endIndex...]
    let path = tail.prefix { $0 != "?" }
    self.path = path
    query = path.endIndex == tail.endIndex ? nil : tail[path.endIndex...].dropFirst()
  }

  func checkNoPath() throws(NetworkSourceError) {
    guard path.isEmpty || path == "/" else { throw .unexpectedPath(String(path.prefix(80))) }
  }

  /// The options of the query, `NAME=VALUE` with `&` between them.
  func options(allowed: [String]) throws(NetworkSourceError) -> AddressOptions {
    var options = AddressOptions()
    for part in query?.split(separator: "&") ?? [] {
      let name = part.prefix { $0 != "=" }
      guard allowed.contains(where: { $0 == name }) else {
        throw .unknownOption(String(name.prefix(80)), allowed: allowed)
      }
      guard options[name] == nil else { throw .repeatedOption(String(name)) }
      options.values.append((name, part[name.endIndex...].dropFirst()))
    }
    return options
  }
}

/// The options of an address.
struct AddressOptions {
  var values: [(name: Substring, value: Substring)] = []

  subscript(name: some StringProtocol) -> Substring? { values.first { $0.name == name }?.value }

  /// Whether the option is `yes`; a missing one is `no`.
  func isYes(_ name: String) throws(NetworkSourceError) -> Bool {
    switch self[name] {
    case nil, "no"?: false
    case "yes"?: true
    case .some(let value): throw .notYesOrNo(option: name, value: String(value.prefix(80)))
    }
  }
}
