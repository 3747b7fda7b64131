/// Identifies one client of the service within the core.
package struct ClientID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
