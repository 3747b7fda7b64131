internal import LinuxIO

/// The source without udev: inotify on `/dev`, and sysfs if present.
struct NodeSource: ~Copyable {
  private let watch: DirectoryWatch
  let scan: NodeScan

  init(tree: FileTree) throws(SystemError) {
    watch = try DirectoryWatch(path: tree.root + "/dev")
    scan = NodeScan(tree: tree)
  }

  var fileDescriptor: Int32 { watch.descriptor }

  func receive() -> [DeviceSource.Event] {
    watch.drain().compactMap { event in
      switch event {
      case .created(let name), .attributesChanged(let name):
        scan.device(name: name).map { .present($0) }
      case .deleted(let name):
        // Reported even if the name exists again, because an open descriptor of the old node no longer works.
        .removed(name: name)
      case .overflowed, .folderGone:
        .overflow
      }
    }
  }
}

/// Finds a system's serial ports without udev: from sysfs if present, otherwise from the nodes alone.
struct NodeScan {
  private let tree: FileTree
  private let reader: DeviceReader

  /// Folders with links to nodes, and well-known links.
  private static let linkFolders = ["/dev/serial/by-id", "/dev/serial/by-path", "/dev/gnss"]
  private static let linkNames = ["/dev/serial0", "/dev/serial1", "/dev/gps", "/dev/gps0"]

  init(tree: FileTree) {
    self.tree = tree
    reader = DeviceReader(tree: tree)
  }

  func devices() -> [SerialDevice] {
    let links = symlinks()
    return tree.names(in: "/dev").compactMap { device(name: $0, symlinks: links) }
  }

  /// `nil` if the node does not exist, or is not a serial port.
  func device(name: String) -> SerialDevice? { device(name: name, symlinks: symlinks()) }

  private func device(name: String, symlinks: [String: [String]]) -> SerialDevice? {
    let subsystem: DeviceSubsystem = name.hasPrefix("gnss") ? .gnss : .tty
    guard DeviceReader.isCandidate(name, subsystem: subsystem) else { return nil }
    let facts = DeviceReader.UdevFacts(symlinks: symlinks["/dev/" + name] ?? [])
    guard tree.exists("/sys/class/\(subsystem.rawValue)") else {
      return reader.device(name: name, subsystem: subsystem, folder: nil, facts: facts)
    }
    // If sysfs is present but does not list the node, or its entry leads elsewhere, there is no hardware behind the
    // node.
    guard let folder = tree.resolved("/sys/class/\(subsystem.rawValue)/\(name)"), folder.hasPrefix("/sys/devices/")
    else { return nil }
    return reader.device(name: name, subsystem: subsystem, folder: folder, facts: facts)
  }

  /// The links to each node, by the path of the node.
  private func symlinks() -> [String: [String]] {
    var links: [String: [String]] = [:]
    let candidates =
      Self.linkNames
      + Self.linkFolders.flatMap { folder in tree.names(in: folder).prefix(256).map { folder + "/" + $0 } }
    for link in candidates {
      // udev creates these links with relative targets (`../../ttyACM0`): the last component is the node.
      guard let node = tree.linkTarget(link)?.split(separator: "/").last else { continue }
      links["/dev/" + node, default: []].append(link)
    }
    return links
  }
}
