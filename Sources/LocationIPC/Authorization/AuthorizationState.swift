package import LocationPolicy

/// What a client may have now, and whether it is in use.
package struct AuthorizationState: Hashable, Sendable {
  package var authorization: Authorization
  package var presence: ClientPresence

  package init(_ authorization: Authorization, presence: ClientPresence) {
    self.authorization = authorization
    self.presence = presence
  }
}
