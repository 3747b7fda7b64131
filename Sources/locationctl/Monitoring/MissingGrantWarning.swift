import LinuxIO
import LocationIPC
import LocationPolicy

/// Prints a warning on stderr if monitoring was just started, but is suspended because its user has no permission for
/// it.
enum MissingGrantWarning {
  /// - Parameters:
  ///   - subject: what is suspended, as the beginning of a sentence: "Region watching".
  ///   - isShownOnly: events are only shown on the desktop, for which "while in use" permission is enough.
  static func print(_ state: AuthorizationState, of subject: String, isShownOnly: Bool = false) {
    guard !state.authorization.isOffForAll else {
      return Diagnostics.print(
        "\(subject) is set up but paused: location services are off. Switch them on with 'sudo locationctl services on'."
      )
    }
    guard let reason = reason(state.authorization.level, isShownOnly: isShownOnly) else { return }
    let user = ClientName.selector(of: ClientIdentity(userID: ProcessEnvironment.userID))
    let grant = "sudo locationctl grant \(user)" + (isShownOnly ? "" : " --always")
    Diagnostics.print("\(subject) is set up but paused: \(reason). To start it, run '\(grant)'.")
  }

  private static func reason(_ level: AuthorizationLevel, isShownOnly: Bool) -> String? {
    switch level {
    case .always: nil
    case .whenInUse: isShownOnly ? nil : "you have access to location only while in use"
    case .notDetermined: "nobody has granted you access to location yet"
    case .denied, .restricted: "you have no access to location"
    }
  }
}
