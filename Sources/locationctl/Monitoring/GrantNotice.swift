import LinuxIO
import LocationIPC
import LocationPolicy

/// Prints on stderr that monitoring that was just started is suspended because its user has no permission for it.
enum GrantNotice {
  /// - Parameters:
  ///   - subject: what is suspended, as a sentence begins: "Region watching".
  ///   - isShownOnly: events are only shown on the desktop, for which "while in use" permission is enough.
  static func print(_ state: AuthorizationState, of subject: String, isShownOnly: Bool = false) {
    guard let reason = reason(state.authorization, isShownOnly: isShownOnly) else { return }
    let user = ClientName.selector(of: ClientIdentity(userID: ProcessEnvironment.userID))
    Diagnostics.print(
      "\(subject) is set up, and paused: \(reason). 'sudo locationctl grant \(user) --always' starts it.")
  }

  private static func reason(_ authorization: Authorization, isShownOnly: Bool) -> String? {
    if authorization.isOffForAll { return "location services are off" }
    return switch authorization.level {
    case .always: nil
    case .whenInUse: isShownOnly ? nil : "you have access to location only while in use"
    case .notDetermined: "nobody has granted you access to location yet"
    case .denied, .restricted: "you have no access to location"
    }
  }
}
