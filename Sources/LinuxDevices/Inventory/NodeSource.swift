internal import LinuxIO

/// The source without udev: inotify on `/dev`, and sysfs where there is one.
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
        // Told even when the name is back already: whoever had it open holds a dead port.
        .removed(name: name)
      case .overflowed, .folderGone:
        .overflow
      }
    }
  }
}

/// Finds the serial ports of a machine where no udev answers: by sysfs where there is one, else by the nodes alone.
struct NodeScan {
  private let tree: FileTree
  private let reader: DeviceReader

  /// Folders with other names of nodes, and names of their own that are known.
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

  /// `nil` where the node is gone, or no serial port.
  func device(name: String) -> SerialDevice? { device(name: name, symlinks: symlinks()) }

  private func device(name: String, symlinks: [String: [String]]) -> SerialDevice? {
    let subsystem: DeviceSubsystem = name.hasPrefix("gnss") ? .gnss : .tty
    guard DeviceReader.isCandidate(name, subsystem: subsystem) else { return nil }
    let facts = DeviceReader.UdevFacts(symlinks: symlinks["/dev/" + name] ?? [])
    guard tree.exists("/sys/class/\(subsystem.rawValue)") else {
      return reader.device(name: name, subsystem: subsystem, folder: nil, facts: facts)
    }
    // A sysfs that is there and does not know the node, or leads elsewhere, has no hardware behind it.
    guard let folder = tree.resolved("/sys/class/\(subsystem.rawValue)/\(name)"), folder.hasPrefix("/sys/devices/")
    else { return nil }
    return reader.device(name: name, subsystem: subsystem, folder: folder, facts: facts)
  }

  /// Other names by node.
  private func symlinks() -> [String: [String]] {
    var links: [String: [String]] = [:]
    let candidates =
      Self.linkNames
      + Self.linkFolders.flatMap { folder in tree.names(in: folder).prefix(256).map { folder + "/" + $0 } }
    for link in candidates {
      // udev makes these links relative (`../../ttyACM0`): the last part is the node.
      guard let node = tree.linkTarget(link)?.split(separator: "/").last else { continue }
      links["/dev/" + node, default: []].append(link)
    }
    return links
  }
}
