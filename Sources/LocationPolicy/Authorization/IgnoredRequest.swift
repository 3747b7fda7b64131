/// Why a request did nothing, for a line in the log; the client is not called back (Documentation/Behavior.md, "Requests for
/// authorization").
package enum IgnoredRequest: Hashable, Sendable {
  /// The usage description of the level is missing.
  case noDescription
  /// The client is in the background.
  case notInUse
  /// Allow Once is no step towards always.
  case allowedOnce
  /// As many identities as can be remembered have been decided.
  case full
}
