/// What is known of the receiver at the other end.
package enum LinkState: Hashable, Sendable {
  /// Looking for the speed it talks at.
  case hunting(baud: Int)
  /// Valid frames come.
  case talking
  /// Valid frames came and do not any more.
  case silent
}
