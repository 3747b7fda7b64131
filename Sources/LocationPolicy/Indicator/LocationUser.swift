/// Who is shown to use location: an identity, and the name that its program gives itself.
package struct LocationUser: Hashable, Sendable {
  package let identity: ClientIdentity
  /// Cleaned, at most 200 bytes; vouches for nothing.
  package let name: String?

  package init(_ identity: ClientIdentity, name: String?) {
    self.identity = identity
    self.name = ShownText.of(name)
  }
}
