package import LocationPolicy

/// Why something is not monitored.
package enum MonitoringFailure: Hashable, Sendable {
  /// It is for programs that come and go: locationd keeps it, and none answers.
  case needsDaemon
  /// Another process of this user without a daemon monitors already; its number, where the kernel tells it.
  case monitoredElsewhere(processID: Int32?)
  /// The name of the list is empty, too long or of more than one line.
  case badName(String)
  /// As many regions as may be are monitored.
  case tooManyRegions(limit: Int)
  /// As many regions with a timing as may be are monitored.
  case tooManyTimedRegions(limit: Int)
  /// The identifiers and borders of this user's regions take as many bytes as may be.
  case tooManyRegionBytes(limit: Int)
  /// As many lists as may be are kept for this user.
  case tooManyLists(limit: Int)
  /// It cannot be kept; `reason` is a clause in words, `cause` what is to be done depends on.
  case cannotKeep(path: String, reason: String, StorageCause)
  /// Only a person's own programs have commands run or notices shown: a confined one must not.
  case mayNotLaunch(ClientIdentity)
}
