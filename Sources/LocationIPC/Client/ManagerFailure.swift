/// Why a manager has no location, in the two ways that its client can tell apart.
package enum ManagerFailure: Hashable, Sendable {
  /// None now; there may be one later.
  case locationUnknown
  /// This user may not have one.
  case denied

  init(_ failure: LocationFailure) {
    switch failure {
    case .permissionDenied: self = .denied
    case .notAuthorized(let denial, _): self = denial.isRefusal ? .denied : .locationUnknown
    case .noSource, .noKnownAccessPoint, .radio, .placesNotKept, .noGPSD, .noReceiverAtGPSD, .untrustedAdapters,
      .portInUse, .cannotOpen, .nothingHeard,
      .nothingHeardYet, .noSatellites, .noFixYet, .notAccurateEnough,
      .noUsableFix, .sourceEnded, .badRecording, .unknownDevice,
      .tooManyRequests, .cannotStore, .notKept, .notHandedOver, .serviceLost, .serviceBusy, .serviceSilent,
      .serviceRefused, .serviceUnreadable, .log, .monitoring:
      self = .locationUnknown
    }
  }
}
