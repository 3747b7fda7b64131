/// How a request for temporary full accuracy ends.
package enum FullAccuracyAnswer: Hashable, Sendable {
  case granted
  /// The person said no, which is no error (Documentation/Behavior.md, "Requests for authorization").
  case refused
  /// CLError.promptDeclined: nobody has been asked, or nobody any more.
  case promptDeclined(Reason)

  package enum Reason: Hashable, Sendable {
    /// The accuracy is not reduced.
    case isFull
    /// There is no grant whose accuracy could be raised, or the service is switched off.
    case notAuthorized
    case notInUse
    /// The purpose has no usage description.
    case noDescription
    /// Nobody is there who could answer; it is a question of this moment.
    case nobodyToAsk
    /// Another question about the identity waits for its answer, or too many do.
    case otherQuestion
  }
}
