internal import Glibc

/// Finds the process that has a port open: from /proc if this user has access to that information, otherwise from signs
/// of programs that usually use ports.
///
/// It scans all of /proc, which takes a few milliseconds for a few hundred processes.
package struct PortHolderFinder: Sendable {
  private static let maximumDescriptors = 4096
  static let logins: Set<String> = ["agetty", "getty", "login", "mgetty"]

  private let tree: FileTree
  private let ownProcess: Int32

  /// - Parameters:
  ///   - tree: the tree with `/proc`, `/sys` and `/run`.
  ///   - ownProcess: excluded from the result.
  package init(tree: FileTree = FileTree(), ownProcess: Int32 = getpid()) {
    self.tree = tree
    self.ownProcess = ownProcess
  }

  package func holder(of path: String) -> SerialPortHolder {
    if let process = process(holding: path) { return process }
    let node = tree.resolved(path) ?? path
    let processes = ProcessList(tree: tree).processes.filter { $0.pid != ownProcess }
    let tty = Self.name(of: node)
    if isConsole(tty) || processes.contains(where: { isLogin($0, on: tty) }) { return .console(tty: tty) }
    let names = Set(processes.map(\.name))
    // gpsd's control socket is no sign of gpsd, because systemd creates it before gpsd runs.
    if names.contains("gpsd") { return .likely(service: "gpsd") }
    if names.contains("ModemManager") { return .likely(service: "ModemManager") }
    return .unknown
  }

  /// The process or login that has the port open; `nil` if there is none, or if this user has no access to that
  /// information. Costs less than `holder(of:)`; for a check before opening a port as a user, such as root, to whom the
  /// kernel does not refuse a port in use.
  package func process(holding path: String) -> SerialPortHolder? {
    let port = Port(number: tree.deviceNumber(path), path: path, tree: tree)
    for pid in ProcessList.identifiers(in: tree) where pid != ownProcess {
      guard hasOpen(port, process: pid) else { continue }
      let name = ProcessList.name(of: pid, in: tree) ?? "?"
      // A terminated login is started again, so that its service has to be disabled instead.
      guard !Self.logins.contains(name) else { return .console(tty: Self.name(of: tree.resolved(path) ?? path)) }
      return .process(pid: pid, name: name)
    }
    return nil
  }

  /// How a port is recognized in a list of open files.
  private enum Port {
    /// A device: its number is the same for every name of it, also in a container.
    case device(UInt64)
    /// Anything else, by all its paths.
    case file([String])

    init(number: UInt64?, path: String, tree: FileTree) {
      self = number.map { .device($0) } ?? .file([path, tree.resolved(path) ?? path])
    }
  }

  private func hasOpen(_ port: Port, process pid: Int32) -> Bool {
    let folder = "/proc/\(pid)/fd"
    return tree.names(in: folder).prefix(Self.maximumDescriptors).contains { name in
      guard let target = tree.linkTarget(folder + "/" + name) else { return false }
      return switch port {
      case .device(let number): target.hasPrefix("/dev/") && tree.deviceNumber(folder + "/" + name) == number
      case .file(let paths): paths.contains(target)
      }
    }
  }

  private static func name(of node: String) -> String { String(node.split(separator: "/").last ?? "") }

  /// Whether the kernel writes its messages to the port: `console=` on its command line, or its own list of active
  /// consoles.
  private func isConsole(_ tty: String) -> Bool {
    guard !tty.isEmpty else { return false }
    let active = tree.text(of: "/sys/class/tty/console/active", limit: 256) ?? ""
    if active.split(separator: " ").contains(where: { $0 == tty }) { return true }
    let commandLine = tree.text(of: "/proc/cmdline", limit: 4096) ?? ""
    return commandLine.split(whereSeparator: { $0 == " " || $0 == "\n" }).contains { word in
      guard word.hasPrefix("console=") else { return false }
      // console=ttyAMA0,115200n8 (the kernel's admin-guide/serial-console)
      return word.dropFirst("console=".count).prefix { $0 != "," } == tty
    }
  }

  /// Whether a process is a login program with the port on its command line, which every user may read.
  private func isLogin(_ process: ProcessList.Entry, on tty: String) -> Bool {
    guard !tty.isEmpty, Self.logins.contains(process.name) else { return false }
    let bytes = tree.bytes(of: "/proc/\(process.pid)/cmdline", limit: 1024) ?? []
    return bytes.split(whereSeparator: { $0 == 0 || $0 == 0x20 }).contains { word in
      word.elementsEqual(tty.utf8) || word.elementsEqual("/dev/\(tty)".utf8)
    }
  }
}

/// The holder of a port, as far as this user has access to that information.
package enum SerialPortHolder: Hashable, Sendable {
  /// A process found in /proc.
  case process(pid: Int32, name: String)
  /// Signs of a program that commonly uses ports: `gpsd`, `ModemManager`.
  case likely(service: String)
  /// The kernel's console, or a login on the port; `tty` without `/dev/`.
  case console(tty: String)
  /// No information.
  case unknown
}

/// The processes in /proc, with their short names.
struct ProcessList {
  struct Entry: Hashable, Sendable {
    var pid: Int32
    /// `comm`: at most 15 bytes (proc(5)), sanitized, because a process can choose its own name.
    var name: String
  }

  static let maximumProcesses = 4096

  let processes: [Entry]

  init(tree: FileTree) {
    processes = Self.identifiers(in: tree).compactMap { pid in
      Self.name(of: pid, in: tree).map { Entry(pid: pid, name: $0) }
    }
  }

  /// Whether a process is this package's daemon, according to its name.
  static func isDaemon(_ name: String?) -> Bool { name == "locationd" }

  static func identifiers(in tree: FileTree) -> [Int32] {
    Array(tree.names(in: "/proc").lazy.compactMap { Int32($0) }.prefix(maximumProcesses))
  }

  static func name(of pid: Int32, in tree: FileTree) -> String? {
    tree.bytes(of: "/proc/\(pid)/comm", limit: 64).flatMap { DeviceText.sanitized($0) }
  }
}
