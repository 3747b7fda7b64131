import Foundation
import Glibc

/// A terminal that only its owner may read.
final class UnreadablePort {
  let path: String
  private let primary: Int32
  private let secondary: Int32

  init() throws {
    var (primary, secondary): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&primary, &secondary, nil, nil, nil) == 0, let name = unsafe ttyname(secondary) else {
      throw POSIXError(.ENODEV)
    }
    self.primary = primary
    self.secondary = secondary
    path = unsafe String(cString: name)
    _ = unsafe chmod(path, 0o600)
  }

  deinit {
    close(primary)
    close(secondary)
  }
}

/// A user who may read no port.
enum UnprivilegedUser {
  /// The command that runs a program as that user.
  static let prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether this user may become that user, and whether that user may run the built programs.
  static let isThere: Bool = {
    let program = ToolRun.products.appendingPathComponent("location-client").path
    return (try? ToolRun(prefix + [program]))?.status == 0
  }()
}
