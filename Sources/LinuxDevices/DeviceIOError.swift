/// A call of the system that failed: the operation and its `errno`.
package struct DeviceIOError: Error, Hashable, Sendable {
  package var operation: String
  package var errno: Int32
}
