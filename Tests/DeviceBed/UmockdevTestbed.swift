import Glibc

/// umockdev's test bed: a `/sys` and `/dev` of our own, and udev events to every process in it.
///
/// Loaded at run time, so that the package builds and its other tests run where umockdev is not installed.
@safe final class UmockdevTestbed {
  // Safe: the pointer is used here alone, as libumockdev's API asks, and released once.
  private typealias Create = @convention(c) () -> UnsafeMutableRawPointer?
  private typealias Root = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutablePointer<CChar>?
  private typealias Add =
    @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> Int32
  private typealias Event =
    @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  private typealias Remove = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Void
  private typealias Master = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Int32
  private typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void

  private let library: UnsafeMutableRawPointer
  private let raw: UnsafeMutableRawPointer
  let root: String

  init?() {
    guard let library = unsafe dlopen("libumockdev.so.0", RTLD_NOW),
      let create = unsafe dlsym(library, "umockdev_testbed_new"),
      let rootDirectory = unsafe dlsym(library, "umockdev_testbed_get_root_dir"),
      let raw = unsafe unsafeBitCast(create, to: Create.self)(),
      let root = unsafe unsafeBitCast(rootDirectory, to: Root.self)(raw)
    else { return nil }
    unsafe self.library = library
    unsafe self.raw = raw
    self.root = unsafe String(cString: root)
    unsafe free(root)
  }

  deinit {
    if let release = unsafe dlsym(library, "g_object_unref") { unsafe unsafeBitCast(release, to: Release.self)(raw) }
  }

  /// Devices in umockdev's text format, parents first.
  func add(_ description: String) -> Bool {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_add_from_string") else { return false }
    return unsafe unsafeBitCast(symbol, to: Add.self)(raw, description, nil) != 0
  }

  /// As udev sends it when its rules are done.
  func send(_ action: String, _ folder: String) {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_uevent") else { return }
    unsafe unsafeBitCast(symbol, to: Event.self)(raw, folder, action)
  }

  func remove(_ folder: String) {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_remove_device") else { return }
    unsafe unsafeBitCast(symbol, to: Remove.self)(raw, folder)
  }

  /// The device's side of the pty behind a node.
  func deviceSide(_ node: String) -> Int32 {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_get_dev_fd") else { return -1 }
    return unsafe unsafeBitCast(symbol, to: Master.self)(raw, node)
  }
}
