/// What the kernel says on a generic netlink socket, as far as it is about Wi-Fi.
package enum NetlinkMessage: Hashable, Sendable {
  /// The request was done (`NLMSG_ERROR` with 0).
  case acknowledged
  /// The request was not done (`NLMSG_ERROR`): `errno`, positive.
  case refused(errno: Int32)
  /// The end of a list (`NLMSG_DONE`): 0, or the `errno` with which it broke off.
  case listEnded(errno: Int32)
  /// The kernel has lost messages for this socket (`NLMSG_OVERRUN`).
  case overrun
  /// The number under which nl80211 goes until the next boot, and those of its groups (`CTRL_CMD_NEWFAMILY`).
  case family(WirelessFamily)
  /// One entry of an interface's list of access points (`NL80211_CMD_NEW_SCAN_RESULTS`, as an answer).
  case accessPoint(AccessPointEntry)
  /// An interface that is there, is new, or has changed (`NL80211_CMD_NEW_INTERFACE`, `NL80211_CMD_SET_INTERFACE`).
  case interface(WirelessInterface)
  /// An interface has gone (`NL80211_CMD_DEL_INTERFACE`).
  case interfaceGone(index: UInt32)
  /// Somebody's scan has begun (`NL80211_CMD_TRIGGER_SCAN`).
  case scanStarted(ScanNotice)
  /// Somebody's scan is over, and the list of access points is as of now (`NL80211_CMD_NEW_SCAN_RESULTS`, as an event).
  case scanFinished(ScanNotice)
  /// Somebody's scan has broken off (`NL80211_CMD_SCAN_ABORTED`); what was heard until then is in the list.
  case scanAborted(ScanNotice)
}
