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
