package import LocationPolicy

/// What a client asks about who may know where the machine is.
package enum AuthorizationRequest: Hashable, Sendable {
  /// What this client may have, until `.cancel`: the first `.state` at once, one more with every change.
  case watch
  /// Asks the person in charge for while-in-use, or for always; answered by `.done` whether or not anything came of it, as
  /// `watch` tells, or by `.failed` where the request does nothing. `purpose` describes both levels where the client's greeting
  /// did not (`CLLocationManager.purpose`).
  case ask(always: Bool, purpose: String? = nil)
  /// Asks for exact positions for now; answered by `.fullAccuracy`.
  case askFullAccuracy(purposeKey: String)
  /// Puts questions to a person, until `.cancel`: `.question` and `.withdrawn` events.
  case serveQuestions
  /// What the person has said; answered by `.done` or `.failed`.
  case answer(QuestionNumber, Answer)
  /// What has been granted, and what is asked for; answered by `.grants`.
  case list
  /// Decides without a question; answered by `.done` or `.failed`.
  case decide(ClientIdentity, Decision)
  /// Switches the whole service on or off; answered by `.done` or `.failed`.
  case setServices(isOn: Bool)

  /// Whether it goes on until it is cancelled.
  package var isStream: Bool {
    switch self {
    case .watch, .serveQuestions: true
    case .ask, .askFullAccuracy, .answer, .list, .decide, .setServices: false
    }
  }
}
