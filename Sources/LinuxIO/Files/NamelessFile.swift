internal import CLinux
import Glibc

/// A file without a name, which disappears with its descriptor.
package struct NamelessFile: ~Copyable {
  private let owned: OwnedDescriptor

  package var descriptor: Int32 { owned.rawValue }

  /// Creates the file in a folder.
  package init(in folder: String = ".") throws(SystemError) {
    owned = OwnedDescriptor(rawValue: try Self.opened(in: folder))
  }

  private static func opened(in folder: String) throws(SystemError) -> Int32 {
    do throws(SystemError) {
      return try SystemCall.run("open") { unsafe clinux_open_nameless(folder) }
    } catch {
      // The file system has no O_TMPFILE.
      let name = "\(folder)/.nameless"
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      let descriptor = try SystemCall.run("open") { unsafe open(name, flags, 0o600) }
      _ = unsafe unlink(name)
      return descriptor
    }
  }

  /// Appends bytes.
  package func append(_ bytes: ArraySlice<UInt8>) throws(SystemError) { try Transfer.writeAll(owned.rawValue, bytes) }

  /// Makes the file, from its beginning, the standard input of this process and of a program that takes its place.
  package func becomeStandardInput() throws(SystemError) {
    let fd = owned.rawValue
    try SystemCall.run("lseek") { Int32(clamping: lseek(fd, 0, SEEK_SET)) }
    try SystemCall.run("dup2") { dup2(fd, STDIN_FILENO) }
  }

  /// The file as another process's input.
  package func reopened() throws(InputFileError) -> InputFile { try InputFile(path: "/proc/self/fd/\(owned.rawValue)") }
}
