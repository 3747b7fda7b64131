import Glibc

/// Names of groups from `/etc/group`, read by hand: the C library's way may load plug-ins and ask the network.
enum GroupFile {
  /// Larger files are read this far.
  private static let maximumSize = 256 * 1024

  static func name(of group: UInt32, path: String = "/etc/group") -> String? {
    guard let fd = try? SystemCall.run("open", { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }) else {
      return nil
    }
    let descriptor = OwnedDescriptor(rawValue: fd)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while text.count < maximumSize, case .bytes(let count) = Transfer.read(descriptor.rawValue, into: &buffer) {
      text += buffer[..<count]
    }
    return AccountFiles.name(of: group, in: text.split(separator: UInt8(ascii: "\n")))
  }
}
