package import LocationPolicy

/// Why there is no list.
package enum MonitoringStoreError: Error, Hashable, Sendable {
  /// There are as many as there may be.
  case lists(most: Int)
  /// That identity has as many as it may have.
  case listsOfIdentity(ClientIdentity, most: Int)
  /// A name of so many bytes of UTF-8.
  case name(length: Int, most: Int)
  case database(DatabaseError)
}
