/// Why Wi-Fi tells nothing of where this machine is, or only what others have their scans for.
package enum RadioProblem: Error, Hashable, Sendable {
  /// LOCATIOND_WIFI is `off`.
  case switchedOff
  /// The source that was named has no Wi-Fi.
  case notInSource
  /// The kernel has no nl80211: no driver of a Wi-Fi radio is loaded.
  case noKernelSupport
  /// It has, and there is no radio.
  case noRadio
  /// The kernel does not answer.
  case noAnswer
  /// The socket cannot be had, or not be read; `errno`.
  case noSocket(errno: Int32)
  /// This user may read what others' scans have heard, and not scan; no helper of the service answers either.
  case noPrivilege
  /// The interface is down.
  case interfaceDown(name: String)
  /// The radio is an access point's, whose clients would lose it for the time of a scan.
  case servesOthers(name: String)
  /// The kernel or the driver does not scan; `errno`.
  case refused(name: String, errno: Int32)
}
