package import CCoreLocation

/// What a program may have now.
package struct AuthorizationState: Hashable, Sendable {
  /// Whether it may have locations.
  package var status: CLAuthorizationStatus
  /// How exact they are.
  package var accuracy: CLAccuracyAuthorization
  /// Whether location services are on at all.
  package var isServiceEnabled: Bool
  /// Whether the person is being asked.
  package var isAsking: Bool
  /// Whether the program is in use.
  package var isInUse: Bool

  package init(
    status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization = .fullAccuracy, isServiceEnabled: Bool = true,
    isAsking: Bool = false, isInUse: Bool = true
  ) {
    self.status = status
    self.accuracy = accuracy
    self.isServiceEnabled = isServiceEnabled
    self.isAsking = isAsking
    self.isInUse = isInUse
  }
}

/// Who knows what a program may have.
package protocol AuthorizationSource: Sendable {
  /// The state now and every later one, for as long as somebody listens; only the newest counts.
  func states() -> AsyncStream<AuthorizationState>
}
