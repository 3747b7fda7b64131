package import LocationPolicy

/// What the service tells of who may know where the machine is.
package enum AuthorizationAnswer: Hashable, Sendable {
  case state(AuthorizationState)
  /// To be put to a person.
  case question(Question)
  /// The question is over, however it ended.
  case withdrawn(QuestionNumber)
  case fullAccuracy(FullAccuracyAnswer)
  case grants(GrantList)

  /// Whether nothing follows for its request.
  package var isLast: Bool {
    switch self {
    case .state, .question, .withdrawn: false
    case .fullAccuracy, .grants: true
    }
  }
}
