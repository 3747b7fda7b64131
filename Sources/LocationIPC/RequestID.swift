/// A client's own name for one of its requests; events carry it back. Unique within one client.
package struct RequestID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
