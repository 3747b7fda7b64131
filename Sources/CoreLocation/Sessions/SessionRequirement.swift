/// What a session wants.
struct SessionRequirement: Hashable, Sendable {
  var authorization: CLServiceSession.AuthorizationRequirement
  /// The purpose for which it wants full accuracy; `nil`: it does not.
  var purposeKey: String?
  /// Whether nobody has begun it but something that takes a session implicitly, as live updates do.
  var isImplicit = false
  /// Whether it is to keep the program in use: it has to be begun in use, and may then be left.
  var isActivity = false
}
