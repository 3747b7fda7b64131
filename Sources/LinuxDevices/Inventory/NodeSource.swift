internal import LinuxIO

/// The source without udev: inotify on `/dev`, and sysfs where there is one.
struct NodeSource: ~Copyable {
  let watch: NodeWatch
  let scan: NodeScan

  init(tree: FileTree) throws(SystemError) {
    watch = try NodeWatch(folder: tree.root + "/dev")
    scan = NodeScan(tree: tree)
  }

  /// One buffer of inotify holds some hundred events at most.
  func receive() -> [DeviceSource.Event] {
    watch.receive().compactMap { event in
      switch event {
      case .created(let name), .attributesChanged(let name):
        scan.device(name: name).map { .present($0) }
      case .deleted(let name):
        // Told even when the name is back already: whoever had it open holds a dead port.
        .removed(name: name)
      case .overflow:
        .overflow
      }
    }
  }
}
