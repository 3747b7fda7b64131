/// What a client may have, in the order of CLAuthorizationStatus.
package enum AuthorizationLevel: Hashable, Sendable, CaseIterable {
  case notDetermined
  /// Refused by root, so that no one else can grant it.
  case restricted
  case denied
  case whenInUse
  case always
}
