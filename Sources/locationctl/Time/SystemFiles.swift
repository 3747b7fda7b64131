import LinuxDevices
import LinuxIO
import LocationdConfigurationFiles

/// Writes files of the system for `time`, below the root of the configuration, and runs systemctl.
struct SystemFiles {
  let root: String

  static var ofProcess: SystemFiles { SystemFiles(root: ConfigurationFiles.ofProcess.root) }

  /// Files of a configuration are small.
  private static let largestFile = 256 * 1024

  /// The text of a file; `nil`: there is none, or it cannot be read.
  func text(_ path: String) -> String? {
    (try? StateFile.read(root + path, maximumSize: Self.largestFile)).map { String(decoding: $0, as: UTF8.self) }
  }

  func exists(_ path: String) -> Bool { FileStatus.exists(root + path) }

  /// Writes a file that everybody may read; returns the failure, or `nil`.
  func write(_ text: String, to path: String) -> CommandStatus? {
    do throws(SystemError) {
      try StateFile.write(root + path, Array(text.utf8), isPublic: true)
      return nil
    } catch {
      return failure(error, path)
    }
  }

  /// Removes a file if it exists.
  func remove(_ path: String) -> CommandStatus? {
    guard exists(path) else { return nil }
    StateFile.remove(root + path)
    return exists(path)
      ? Diagnostics.report(
        FailureMessage(
          "Cannot remove \(TerminalText.sanitized(root + path)): run the command with sudo.", .denied)) : nil
  }

  /// The names in a folder; empty if there is none.
  func names(in folder: String) -> [String] { FileTree(root: root).names(in: folder) }

  /// Runs systemctl, unless the files are not those of this machine. Whether it succeeded.
  @discardableResult
  func systemctl(_ arguments: String...) -> Bool {
    guard root.isEmpty, let process = try? ChildProcess("systemctl", arguments) else { return false }
    return process.finish().ending == .exited(0)
  }

  private func failure(_ error: SystemError, _ path: String) -> CommandStatus {
    let isDenied = SystemErrorKind(error.errno) == .denied
    return Diagnostics.report(
      FailureMessage(
        "Cannot \(error.operation) \(TerminalText.sanitized(root + path)) (\(ErrorDescription.of(error.errno))): "
          + (isDenied ? "run the command with sudo." : "check the file and its folder."),
        isDenied ? .denied : .cannotWrite))
  }
}
