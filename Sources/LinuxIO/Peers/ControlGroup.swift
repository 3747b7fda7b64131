/// Where a process belongs, as its control group says (cgroups(7), systemd's CGROUP_DELEGATION, DESKTOP_ENVIRONMENTS).
///
/// The groups that count were made by root's processes, or within one user's manager by any process of that user: what is read from
/// below a manager vouches for nothing between the processes of one user who are not confined.
package struct ControlGroup: Hashable, Sendable {
  /// Who answers for a process.
  package enum Owner: Hashable, Sendable {
    /// A service of the system, by its unit's name, as `weather.service` or `weather@home.service`.
    case service(String)
    /// A login session, by its ID.
    case session(String)
    /// A user's own manager; `isApplication`: one of the programs of a desktop, and not of its services.
    case manager(userID: UInt32, isApplication: Bool)
    case nobody
  }

  /// What a process is confined to.
  package enum Sandbox: Hashable, Sendable {
    /// The application's ID, as `org.gnome.Maps`.
    case flatpak(String)
    /// The snap's name, also its instance's, as `weather_two`.
    case snap(String)
    /// The container's name, as its manager named the group.
    case container(String)
  }

  package var owner: Owner
  package var sandbox: Sandbox?

  package init(_ owner: Owner = .nobody, sandbox: Sandbox? = nil) {
    self.owner = owner
    self.sandbox = sandbox
  }

  /// - Parameter bytes: `/proc/PID/cgroup`: lines `number:controllers:path`, of which systemd's own hierarchy counts: `name=systemd`
  ///   (version 1), or the one of version 2, `0::`. Where both have a word, the first, as both are systemd's.
  package init(_ bytes: [UInt8]) {
    var unified: ArraySlice<UInt8>?
    var systemd: ArraySlice<UInt8>?
    var elogind: ArraySlice<UInt8>?
    var snap: Sandbox?
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
      // A path may have colons.
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      switch String(decoding: fields[1], as: UTF8.self) {
      case "" where fields[0].elementsEqual("0".utf8): unified = fields[2]
      case "name=systemd": systemd = fields[2]
      case "name=elogind": elogind = fields[2]
      // Where snapd freezes a snap with version 1: `/snap.NAME`.
      case "freezer":
        snap = UnitName(String(decoding: fields[2].dropFirst(), as: UTF8.self)).frozenSnap.map { .snap($0) }
      default: continue
      }
    }
    let said = [systemd, unified, elogind].compactMap(\.self).map { ControlGroup(path: ControlGroupPath($0)) }
    // Any word of a sandbox counts.
    self.init(
      said.first { $0.owner != .nobody }?.owner ?? .nobody, sandbox: said.compactMap(\.sandbox).first ?? snap)
  }

  private init(path: ControlGroupPath) {
    if let container = path.container {
      self.init(.nobody, sandbox: .container(container))
    } else if let session = path.session {
      self.init(.session(session))
    } else if let manager = path.manager {
      self.init(
        .manager(userID: manager.userID, isApplication: manager.path.isApplication), sandbox: manager.path.application)
    } else if let service = path.service {
      self.init(.service(service), sandbox: path.application)
    } else {
      self.init(.nobody, sandbox: path.application)
    }
  }
}
