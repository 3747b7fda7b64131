import Geodesy
import LocationPolicy

/// Makes a question like those of the service.
func question(
  _ number: Int, _ kind: AuthorizationPrompt.Kind = .first(requestsAlways: false, offersAlways: true),
  purpose: String? = nil,
  name: String? = nil, isReduced: Bool = false
) -> AuthorizationPrompt {
  AuthorizationPrompt(
    number: PromptNumber(number), identity: ClientIdentity(userID: 4_200_001), kind: kind, purpose: purpose,
    name: name,
    presence: .inUse, isReduced: isReduced, since: Instant(nanoseconds: 0))
}
