/// A service may be there, and this process cannot reach it: that is final, and no other is tried in its place.
package struct BarredService: Error, Hashable, Sendable {
  /// Its socket.
  package let path: String
  /// What the kernel said.
  package let operation: String
  package let errno: Int32
}
