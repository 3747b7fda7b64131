/// Identifies one device within the core while it is present.
package struct LinkID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
