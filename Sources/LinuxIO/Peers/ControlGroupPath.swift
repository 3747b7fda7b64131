/// The path of a control group, as systemd makes it: slices, and in them one unit; what is below that is the unit's own.
struct ControlGroupPath {
  /// Components are at most so many; what is deeper says nothing.
  private static let maximumDepth = 64

  private let components: [String]
  /// The slices that the unit is in, from the outermost.
  let slices: ArraySlice<String>
  let unit: String?

  init(_ bytes: ArraySlice<UInt8>) {
    self.init(
      bytes.split(separator: UInt8(ascii: "/")).prefix(Self.maximumDepth).map { component in
        // Before names that the kernel has taken systemd puts one `_`.
        String(decoding: component.first == UInt8(ascii: "_") ? component.dropFirst() : component, as: UTF8.self)
      })
  }

  private init(_ components: [String]) {
    self.components = components
    slices = components.prefix { $0.hasSuffix(".slice") }
    unit = components.dropFirst(slices.count).first
  }

  /// A service of the system.
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

  /// A user's own manager, `user@1000.service`, and the path below it.
  var manager: (userID: UInt32, path: ControlGroupPath)? {
    guard isInUserSlice, let unit, let text = UnitName(unit).between("user@", ".service"), let user = UInt32(text)
    else {
      return nil
    }
    return (user, ControlGroupPath(Array(components.dropFirst(slices.count + 1))))
  }

  private var isInUserSlice: Bool { slices.first == "user.slice" }

  /// The Flatpak or Snap that the unit was made for.
  var application: ControlGroup.Sandbox? {
    guard let unit else { return nil }
    let name = UnitName(unit)
    if let id = name.flatpak { return .flatpak(id) }
    if let snap = name.snap { return .snap(snap) }
    // A snap, whichever it is.
    return name.stem.hasPrefix("snap.") ? .container(Self.shortened(name.stem)) : nil
  }

  /// Below a user's manager: whether it is a program of a desktop, which puts each into a scope or a service `app-…` of its own
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

  /// The name of a container, wherever in the path it is.
  var container: String? {
    // Those that use no systemd have a folder of their own.
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
