import Glibc

/// umockdev's test bed: a separate `/sys` and `/dev`, and udev events for every process in it.
///
/// The library is loaded at run time, so that the package builds and its other tests run without umockdev.
@safe final class UmockdevTestbed {
  // Safe: only this class uses the pointer, as libumockdev's API requires, and releases it once.
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

  /// Adds devices in umockdev's text format, parents first.
  func add(_ description: String) -> Bool {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_add_from_string") else { return false }
    return unsafe unsafeBitCast(symbol, to: Add.self)(raw, description, nil) != 0
  }

  /// Sends an event like udev after its rules.
  func send(_ action: String, _ folder: String) {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_uevent") else { return }
    unsafe unsafeBitCast(symbol, to: Event.self)(raw, folder, action)
  }

  func remove(_ folder: String) {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_remove_device") else { return }
    unsafe unsafeBitCast(symbol, to: Remove.self)(raw, folder)
  }

  /// The device's side of the pseudo-terminal behind a node.
  func deviceSide(_ node: String) -> Int32 {
    guard let symbol = unsafe dlsym(library, "umockdev_testbed_get_dev_fd") else { return -1 }
    return unsafe unsafeBitCast(symbol, to: Master.self)(raw, node)
  }
}
