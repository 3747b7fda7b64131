/// What the head of a netlink message says of it, beside its length and its type (`struct nlmsghdr`).
package struct NetlinkEnvelope: Hashable, Sendable {
  /// The request that it answers; 0 of what was not asked for.
  package let sequence: UInt32
  /// The socket that it is for, by its port; 0 of what goes to a group.
  package let portID: UInt32
  /// What is listed changed while it was listed (`NLM_F_DUMP_INTR`): some may be missing, some may be there twice.
  package let isInterrupted: Bool

  package init(sequence: UInt32, portID: UInt32, isInterrupted: Bool) {
    self.sequence = sequence
    self.portID = portID
    self.isInterrupted = isInterrupted
  }
}
