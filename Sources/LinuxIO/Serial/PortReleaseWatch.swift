import Glibc

/// Tells when a program that has a device node open closes it, so that nobody has to look again and again.
package struct PortReleaseWatch: ~Copyable {
  private let inotify: Inotify

  /// Watches the node at `path`, from now on.
  package init(path: String) throws(SystemError) {
    inotify = try Inotify(path: path, mask: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE))
  }

  /// Readable when somebody has closed the node since the watch began.
  package var descriptor: Int32 { inotify.descriptor }
}
