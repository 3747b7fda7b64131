package import LinuxIO
package import NetworkSources

/// The file of a caster, which contains a password: a credential that systemd has passed, or a file that nobody else can read.
package enum CasterFile {
  /// The folder of the files, below the root of the configuration.
  package static let folder = "/etc/locationd/ntrip"

  package enum Problem: Error, Hashable, Sendable {
    case absent(path: String)
    /// Others may read it.
    case openToOthers(path: String)
    /// The service, which runs as that user, is not the owner.
    case foreign(path: String, user: String)
    case unreadable(path: String, errno: Int32)
    case invalid(path: String, CasterConfiguration.Problem)

    /// The same for a command, which may run as another user than the service, to which the file belongs.
    package var sentenceOfCommand: String {
      guard case .unreadable(let path, let errno) = self, SystemErrorKind(errno) == .denied else { return sentence }
      return "The file \(path) cannot be read (\(ErrorDescription.of(errno))): run the command with sudo."
    }

    /// The problem and what to do.
    package var sentence: String {
      switch self {
      case .absent(let path): "The file \(path) does not exist: write it, with a line 'url='."
      case .openToOthers(let path):
        "Other users can read the file \(path), which may contain a password: run 'sudo chmod 600 \(path)'."
      case .foreign(let path, let user):
        "The file \(path) does not belong to the user \(user), so that locationd cannot read it: run 'sudo chown \(user) \(path)'."
      case .unreadable(let path, let errno):
        "The file \(path) cannot be read (\(ErrorDescription.of(errno))): run 'sudo chown locationd \(path)'."
      case .invalid(let path, let problem): "The file \(path) is not valid. \(problem.sentence)"
      }
    }
  }

  /// Reads the file of `name`, which must be a valid name (`CorrectionSelection.isName`).
  ///
  /// - Parameter root: the root of the files of the configuration; empty: that of the machine.
  /// - Returns: its content as read, too, by which a change is recognized.
  package static func read(_ name: String, root: String) throws(Problem) -> (CasterConfiguration, [UInt8]) {
    // systemd.exec(5), LoadCredential: only the service can read such files.
    if let credentials = ProcessEnvironment.value("CREDENTIALS_DIRECTORY"), !credentials.isEmpty {
      let path = "\(credentials)/ntrip.\(name)"
      if let bytes = try? StateFile.read(path, maximumSize: CasterConfiguration.longestFile) {
        return (try parse(bytes, path), bytes)
      }
    }
    let path = "\(root)\(folder)/\(name)"
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try StateFile.read(path, maximumSize: CasterConfiguration.longestFile)
    } catch {
      throw .unreadable(path: path, errno: error.errno)
    }
    guard let bytes else { throw .absent(path: path) }
    guard !StateFile.isReadableByOthers(path) else { throw .openToOthers(path: path) }
    return (try parse(bytes, path), bytes)
  }

  /// Checks that a user can read the file of `name`, whose mode lets only its owner do so. Root can read every file.
  package static func check(_ name: String, root: String, readableBy user: UInt32, accounts: AccountFiles)
    throws(Problem)
  {
    let path = "\(root)\(folder)/\(name)"
    guard user != 0, let owner = FileStatus.owner(of: path), owner != user, let text = accounts.name(of: user) else {
      return
    }
    throw .foreign(path: path, user: text)
  }

  private static func parse(_ bytes: [UInt8], _ path: String) throws(Problem) -> CasterConfiguration {
    do throws(CasterConfiguration.Problem) {
      return try CasterConfiguration(parsing: bytes)
    } catch {
      throw .invalid(path: path, error)
    }
  }
}
