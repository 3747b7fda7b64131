package import LinuxIO
package import LocationPolicy

/// The identity of a client, from the kernel's information about its process.
extension ClientIdentity {
  package init(_ process: PeerProcess) {
    self.init(userID: process.credentials.userID, realm: Self.realm(of: process))
  }

  /// The realm of a process. A name that is too long to be stored is replaced by a container without a name.
  private static func realm(of process: PeerProcess) -> Realm {
    let realm = namedRealm(of: process)
    switch realm {
    case .flatpak(let name), .snap(let name), .container(let name), .service(let name):
      return name.utf8.count <= Realm.longestName ? realm : .container("")
    case .own, .network: return realm
    }
  }

  private static func namedRealm(of process: PeerProcess) -> Realm {
    switch process.controlGroup.sandbox {
    case .flatpak(let id): return .flatpak(id)
    case .snap(let name): return .snap(name)
    case .container(let name): return .container(name)
    case nil: break
    }
    guard case .service(let unit) = process.controlGroup.owner else {
      return process.hasOwnNamespaces ? .container("") : .own
    }
    if process.hasOwnNamespaces { return .container(unit) }
    return SystemAccounts.contain(process.credentials.userID) ? .service(unit) : .own
  }
}
