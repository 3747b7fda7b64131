/// A process's service, session or sandbox according to its control group (cgroups(7), systemd's CGROUP_DELEGATION,
/// DESKTOP_ENVIRONMENTS).
///
/// The relevant groups were created by root's processes, or, below a user's manager, by any process of that user.
/// Groups below a manager therefore do not distinguish two unconfined processes of one user reliably.
package struct ControlGroup: Hashable, Sendable {
  /// The unit or session that a process belongs to.
  package enum Owner: Hashable, Sendable {
    /// A system service, by its unit's name, for example `weather.service` or `weather@home.service`.
    case service(String)
    /// A login session, by its ID.
    case session(String)
    /// A user's service manager; `isApplication`: a desktop program, not a service.
    case manager(userID: UInt32, isApplication: Bool)
    case noOwner
  }

  /// The sandbox of a process.
  package enum Sandbox: Hashable, Sendable {
    /// The application's ID, for example `org.gnome.Maps`.
    case flatpak(String)
    /// The snap's name, including its instance's, for example `weather_two`.
    case snap(String)
    /// The container's name, from its manager's name for the group.
    case container(String)
  }

  package var owner: Owner
  package var sandbox: Sandbox?

  /// A group of which only the kernel's number is known: it may be that of any sandbox.
  package static let unknown = ControlGroup(.noOwner, sandbox: .container(""))

  package init(_ owner: Owner = .noOwner, sandbox: Sandbox? = nil) {
    self.owner = owner
    self.sandbox = sandbox
  }

  /// - Parameter bytes: the content of `/proc/PID/cgroup`: lines `number:controllers:path`. Only the hierarchies of
  ///   systemd and elogind are used: `name=systemd` (version 1), version 2's `0::`, and `name=elogind`. If several of
  ///   them name an owner, the first in this order is used: the first two are both systemd's.
  package init(_ bytes: [UInt8]) {
    var unified: ArraySlice<UInt8>?
    var systemd: ArraySlice<UInt8>?
    var elogind: ArraySlice<UInt8>?
    var snap: Sandbox?
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
      // A path may contain colons.
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      switch String(decoding: fields[1], as: UTF8.self) {
      case "" where fields[0].elementsEqual("0".utf8): unified = fields[2]
      case "name=systemd": systemd = fields[2]
      case "name=elogind": elogind = fields[2]
      // The group in which snapd freezes a snap with version 1: `/snap.NAME`.
      case "freezer":
        snap = UnitName(String(decoding: fields[2].dropFirst(), as: UTF8.self)).frozenSnap.map { .snap($0) }
      default: continue
      }
    }
    let said = [systemd, unified, elogind].compactMap(\.self).map { ControlGroup(path: ControlGroupPath($0)) }
    // A sandbox in any hierarchy counts.
    self.init(
      said.first { $0.owner != .noOwner }?.owner ?? .noOwner, sandbox: said.compactMap(\.sandbox).first ?? snap)
  }

  private init(path: ControlGroupPath) {
    if let container = path.container {
      self.init(.noOwner, sandbox: .container(container))
    } else if let session = path.session {
      self.init(.session(session))
    } else if let manager = path.manager {
      self.init(
        .manager(userID: manager.userID, isApplication: manager.path.isApplication), sandbox: manager.path.application)
    } else if let service = path.service {
      self.init(.service(service), sandbox: path.application)
    } else {
      self.init(.noOwner, sandbox: path.application)
    }
  }
}

/// The path of a control group in systemd's layout: slices, then one unit; everything below the unit belongs to it.
struct ControlGroupPath {
  /// Maximum number of components; deeper ones are ignored.
  private static let maximumDepth = 64

  private let components: [String]
  /// The slices that the unit is in, from the outermost.
  let slices: ArraySlice<String>
  let unit: String?

  init(_ bytes: ArraySlice<UInt8>) {
    self.init(
      bytes.split(separator: UInt8(ascii: "/")).prefix(Self.maximumDepth).map { component in
        // systemd prefixes names that the kernel reserves with one `_`.
        String(decoding: component.first == UInt8(ascii: "_") ? component.dropFirst() : component, as: UTF8.self)
      })
  }

  private init(_ components: [String]) {
    self.components = components
    slices = components.prefix { $0.hasSuffix(".slice") }
    unit = components.dropFirst(slices.count).first
  }

  /// A system service.
  var service: String? {
    guard let unit, unit.hasSuffix(".service"), unit.utf8.count <= UnitName.longest else { return nil }
    return unit
  }

  /// A login session's ID, letters and digits: logind's `/user.slice/user-1000.slice/session-3.scope`, elogind's `/3`.
  var session: String? {
    if components.count == 1, Self.isLoginID(components[0], elogind: true) { return components[0] }
    guard isInUserSlice, let unit, let id = UnitName(unit).between("session-", ".scope"), Self.isLoginID(id) else {
      return nil
    }
    return id
  }

  /// A user's service manager, `user@1000.service`, and the path below it.
  var manager: (userID: UInt32, path: ControlGroupPath)? {
    guard isInUserSlice, let unit, let text = UnitName(unit).between("user@", ".service"), let user = UInt32(text)
    else {
      return nil
    }
    return (user, ControlGroupPath(Array(components.dropFirst(slices.count + 1))))
  }

  private var isInUserSlice: Bool { slices.first == "user.slice" }

  /// The Flatpak or Snap that the unit was created for.
  var application: ControlGroup.Sandbox? {
    guard let unit else { return nil }
    let name = UnitName(unit)
    if let id = name.flatpak { return .flatpak(id) }
    if let snap = name.snap { return .snap(snap) }
    // A snap whose name is not valid.
    return name.stem.hasPrefix("snap.") ? .container(Self.shortened(name.stem)) : nil
  }

  /// Below a user's manager: whether the unit is a desktop program, for which desktops create a scope or a service `app-…`
  /// (systemd's DESKTOP_ENVIRONMENTS; older desktops use no slice), and not a service or a timer.
  var isApplication: Bool {
    guard let unit else { return false }
    switch slices.first {
    case "app.slice", "session.slice":
      return unit.hasSuffix(".scope") || unit.hasPrefix("app-") && unit.hasSuffix(".service")
    case nil: return unit.hasSuffix(".scope") && unit != "init.scope"
    default: return false
    }
  }

  /// The name of a container, from any component of the path.
  var container: String? {
    // Container managers that do not use systemd have their own folder.
    if let first = components.first, Self.managerFolders.contains(first) {
      let name = components.dropFirst().first { !$0.hasSuffix(".slice") } ?? first
      return Self.shortened(UnitName(name).stem)
    }
    for component in components {
      let name = UnitName(component)
      if let rest = name.after("lxc.payload.") { return Self.shortened(rest) }
      if component.hasSuffix(".scope"), Self.managerScopes.contains(where: { component.hasPrefix($0) }) {
        return Self.shortened(name.stem)
      }
    }
    return nil
  }

  /// Docker, containerd, LXC, Kubernetes, Podman, systemd-nspawn and libvirt.
  private static let managerFolders: Set<String> = [
    "docker", "containerd", "lxc", "lxc.payload", "kubepods", "kubepods.slice", "libpod_parent", "machine",
    "machine.slice",
  ]
  private static let managerScopes = ["docker-", "cri-containerd-", "nerdctl-", "crio-", "libpod-", "machine-"]

  private static func shortened(_ name: String) -> String { String(decoding: name.utf8.prefix(128), as: UTF8.self) }

  private static func isLoginID(_ text: String, elogind: Bool = false) -> Bool {
    let digits = elogind && text.hasPrefix("c") ? text.dropFirst() : text[...]
    return (1...32).contains(digits.utf8.count)
      && digits.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || !elogind && (0x41...0x5A ~= byte || 0x61...0x7A ~= byte)
      }
  }
}

/// The name of a systemd unit.
struct UnitName {
  /// systemd's limit in bytes (UNIT_NAME_MAX).
  static let longest = 255

  private let text: String

  init(_ text: String) { self.text = text }

  /// The name without its last suffix, such as `.scope`.
  var stem: String {
    guard let dot = text.lastIndex(of: "."), Self.suffixes.contains(String(text[dot...])) else { return text }
    return String(text[..<dot])
  }

  private static let suffixes: Set<String> = [".scope", ".service", ".slice"]

  /// The text between `start` and `end`; `nil` if the name does not begin and end with these, or if nothing is between
  /// them.
  func between(_ start: String, _ end: String) -> String? {
    guard let rest = after(start), rest.hasSuffix(end), rest.utf8.count > end.utf8.count else { return nil }
    return String(rest.dropLast(end.count))
  }

  func after(_ start: String) -> String? { text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil }

  /// The application ID of a Flatpak: `app-flatpak-ID-PID.scope`, with the ID escaped (flatpak_run_in_transient_unit).
  var flatpak: String? {
    guard let middle = between("app-flatpak-", ".scope"), let dash = middle.lastIndex(of: "-") else { return nil }
    let number = middle[middle.index(after: dash)...]
    guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let id = Self.unescaped(middle[..<dash]), !id.isEmpty, id.utf8.allSatisfy(Self.isOfFlatpakID)
    else { return nil }
    return id
  }

  /// The name of a snap: `snap.NAME.APP-UUID.scope`, `snap.NAME.APP.UUID.scope` before snapd 2.61, `snap.NAME.APP.service`,
  /// and hooks, `snap.NAME.hook.HOOK…`.
  var snap: String? {
    guard text.hasSuffix(".scope") || text.hasSuffix(".service"), let rest = UnitName(stem).after("snap.") else {
      return nil
    }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    // The snap's name, and the program that runs.
    guard parts.count >= 2, !parts[1].isEmpty else { return nil }
    return Self.snapName(parts[0])
  }

  /// The snap's name from `snap.NAME`, the group in which snapd freezes it.
  var frozenSnap: String? { after("snap.").flatMap { Self.snapName($0[...]) } }

  /// The snap's name; for a component (`NAME+COMPONENT`), the name of its snap.
  private static func snapName(_ text: Substring) -> String? {
    let name = text.prefix { $0 != "+" }
    return !name.isEmpty && name.utf8.allSatisfy(isOfSnapName) ? String(name) : nil
  }

  private static func isOfFlatpakID(_ byte: UInt8) -> Bool {
    isOfSnapName(byte) || 0x41...0x5A ~= byte || byte == UInt8(ascii: ".")
  }

  private static func isOfSnapName(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// `\x2d` is the byte 0x2D (systemd-escape(1)); `nil` for a backslash that begins no such escape.
  static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let code = rest.prefix(3)
      guard code.count == 3, code.first == UInt8(ascii: "x"),
        let value = UInt8(String(decoding: code.dropFirst(), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
