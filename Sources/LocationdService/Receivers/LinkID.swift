/// The core's name for one device while it is there.
package struct LinkID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
