package import LinuxIO
package import LocationPolicy

/// Whether a client is in use, from its process's control group and the state of its login (Documentation/Behavior.md,
/// "Authorization").
extension ClientPresence {
  package init(_ process: PeerProcess, _ login: LoginState) {
    let isInUse: Bool
    switch (process.controlGroup.owner, login) {
    // A container may have a terminal that no user sees.
    case _ where Self.isInContainer(process): isInUse = false
    case (.service, _): isInUse = false
    // Without logind a session lasts while it has a process, and this process is such a process.
    case (.session, .unavailable): isInUse = true
    case (.session, .gone): isInUse = false
    case (.session, .known(let session)): isInUse = session.isOnline && session.isOfPerson
    case (.manager(_, isApplication: false), _): isInUse = false
    case (.manager(_, isApplication: true), .unavailable): isInUse = true
    case (.manager(_, isApplication: true), .gone): isInUse = false
    case (.manager(_, isApplication: true), .known(let user)): isInUse = user.isOnline
    case (.noOwner, _): isInUse = process.hasTerminal
    }
    self = isInUse ? .inUse : .background
  }

  /// The same, from the current state of the machine's logins.
  package init(_ process: PeerProcess, logins: LoginFolder) {
    switch process.controlGroup.owner {
    case .session(let id): self.init(process, logins.session(id))
    case .manager(let user, _): self.init(process, logins.user(user))
    case .service, .noOwner: self.init(process, .unavailable)
    }
  }

  /// Whether a process in the background can come to the foreground: only a desktop application can, when its user logs
  /// in again. A session that has ended does not resume, and a process outside sessions was never in one.
  package static func canReturn(_ process: PeerProcess) -> Bool {
    if case .manager(_, isApplication: true) = process.controlGroup.owner { !isInContainer(process) } else { false }
  }

  private static func isInContainer(_ process: PeerProcess) -> Bool {
    if case .container = process.controlGroup.sandbox { true } else { false }
  }
}
