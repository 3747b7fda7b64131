/// Who opens a receiver that gpsd could have as well.
package enum DeviceOwner: String, Hashable, Sendable, CaseIterable {
  /// This service, whatever gpsd lists.
  case locationd
  /// gpsd, through which the service reads it then.
  case gpsd
}
