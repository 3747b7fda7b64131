import Glibc
package import LinuxIO
package import LocationdConfiguration

/// The files of the configuration, by the rules of systemd: `/etc/locationd.conf`, then the drop-ins in the order of
/// their names. A drop-in below `/etc` replaces one of the same name below `/run` or `/usr/lib`, and one below `/run`
/// replaces one below `/usr/lib`. A drop-in that is a link to `/dev/null` removes the one that it replaces, and sets
/// nothing.
package struct ConfigurationFiles: Sendable {
  /// Prefix of all paths; empty: the machine's own files.
  package let root: String

  /// Maximum size of a file that is read, bytes.
  package static let largestFile = 256 * 1024
  /// Maximum number of drop-ins read from one folder.
  private static let mostDropIns = 256
  private static let folders = ["/etc/locationd.conf.d", "/run/locationd.conf.d", "/usr/lib/locationd.conf.d"]

  package init(root: String) { self.root = root }

  /// The files of this process: below the folder that `LOCATIOND_CONFIG` names, or the machine's own.
  package static var ofProcess: ConfigurationFiles {
    var root = ProcessEnvironment.value(SettingKey.rootVariable) ?? ""
    while root.hasSuffix("/") { root.removeLast() }
    return ConfigurationFiles(root: root)
  }

  /// The main file, which the administrator edits.
  package var main: String { "\(root)/etc/locationd.conf" }
  /// The file that `locationctl config set` writes.
  package var dropIn: String { "\(root)\(Self.folders[0])/\(DropInText.name)" }
  /// The environment file of 0.1.0, which the systemd unit still reads.
  package var environmentFile: String { "\(root)/etc/default/locationd" }

  // MARK: - Loading

  /// The configuration of this process.
  ///
  /// - Parameters:
  ///   - options: the options of the command line.
  ///   - ofUnit: whether to include the environment file, because the configuration is that of the systemd unit and not of this
  ///     process.
  package func load(
    options: [(key: SettingKey, option: String, text: String)] = [], ofUnit: Bool = false
  ) -> ServiceConfiguration {
    var layers = ServiceConfiguration.Layers()
    layers.options = options
    for name in SettingKey.variables {
      if let value = ProcessEnvironment.value(name), !value.isEmpty { layers.variables[name] = value }
    }
    layers.otherVariables = Self.otherVariables
    if ofUnit, case .success(let bytes?) = Self.read(environmentFile) {
      layers.environmentFile = EnvironmentFileText(path: environmentFile, bytes)
    }
    layers.files = texts
    return ServiceConfiguration(layers)
  }

  /// The content of one file, with its faults.
  package static func text(_ path: String) -> ConfigurationText {
    switch read(path) {
    case .success(let bytes): return INIParser.parse(bytes ?? [], path: path)
    case .failure(let error): return unreadable(path, errno: error.errno)
    }
  }

  private static func unreadable(_ path: String, errno: Int32) -> ConfigurationText {
    var text = ConfigurationText(path: path)
    text.faults = [(0, .unreadable(ErrorDescription.of(errno)))]
    return text
  }

  /// The files in effect, the one with the lowest precedence first.
  package var paths: [String] {
    let own = Self.exists(main) && !Self.isMask(main) ? [main] : []
    return own + dropIns.paths
  }

  /// The contents of the files in effect, and a fault for each folder that cannot be read.
  private var texts: [ConfigurationText] { dropIns.unreadable.map(Self.unreadable) + paths.map(Self.text) }

  private var dropIns: (paths: [String], unreadable: [(path: String, errno: Int32)]) {
    var places: [String: String] = [:]
    var unreadable: [(path: String, errno: Int32)] = []
    for folder in Self.folders {
      do throws(SystemError) {
        for name in try Self.names(in: root + folder) where places[name] == nil {
          places[name] = "\(root)\(folder)/\(name)"
        }
      } catch {
        unreadable.append((root + folder, error.errno))
      }
    }
    let paths = places.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    return (paths.filter { !Self.isMask($0) }, unreadable)
  }

  // MARK: - Files

  private static func read(_ path: String) -> Result<[UInt8]?, SystemError> {
    do throws(SystemError) {
      return .success(try StateFile.read(path, maximumSize: largestFile))
    } catch {
      return .failure(error)
    }
  }

  /// Whether there is a folder at `path`; links are followed.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 || errno != ENOENT }

  /// Whether the file is a link to `/dev/null`, or the device itself.
  private static func isMask(_ path: String) -> Bool {
    (try? RealPath.of(path)) == "/dev/null"
  }

  /// The names of the drop-ins in a folder; a folder that does not exist has none.
  private static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(folder) else {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemError(operation: "opendir", errno: errno) }
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < mostDropIns, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// This process's variables that may be misspelled variables of the service. They are read from /proc, where no other
  /// thread changes them.
  private static var otherVariables: [String] {
    guard case .success(let bytes?) = read("/proc/self/environ") else { return [] }
    return bytes.split(separator: 0).compactMap { entry in
      let name = String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      let isKnown = SettingKey.variables.contains(name) || variablesOfPlaces.contains(name)
      return name.hasPrefix("LOCAT") && !isKnown ? name : nil
    }.sorted()
  }

  /// Variables of the commands and of `CLGeocoder` that say where data of places is (locationctl-places(1)).
  private static let variablesOfPlaces: Set = [
    "LOCATIOND_WORLD", "LOCATIOND_PLACES_FOLDER", "LOCATIOND_PLACES_MIRROR",
  ]
}

/// Changes the drop-in of `locationctl config set`.
extension ConfigurationFiles {
  /// The drop-in's current content; empty if there is no file.
  package var ownDropIn: DropInText {
    get throws(DropInFailure) {
      try checkLink()
      switch Self.read(dropIn) {
      case .success(nil): return DropInText()
      case .success(let bytes?): return DropInText(bytes, INIParser.parse(bytes, path: dropIn))
      case .failure(let error): throw .failed(SystemError(operation: "read", errno: error.errno))
      }
    }
  }

  /// Replaces the drop-in; an empty one is removed.
  package func write(_ text: DropInText) throws(DropInFailure) {
    try checkLink()
    guard !text.isEmpty else {
      guard unsafe unlink(dropIn) != 0, errno != ENOENT else { return }
      throw .failed(SystemError(operation: "write", errno: errno))
    }
    do throws(SystemError) {
      try StateFile.write(dropIn, text.bytes, isPublic: true)
    } catch {
      throw .failed(SystemError(operation: "write", errno: error.errno))
    }
  }

  /// Throws if the drop-in is a symbolic link: writing would replace the link with a file, but the
  /// administrator who made the link expects it to stay.
  private func checkLink() throws(DropInFailure) {
    if let target = SymbolicLink.target(of: dropIn) { throw .isLink(to: target) }
  }
}

/// Why the drop-in cannot be changed.
package enum DropInFailure: Error, Hashable, Sendable {
  /// The drop-in is a symbolic link to that path.
  case isLink(to: String)
  /// The drop-in cannot be read, written or removed: the operation of the error is `read`, or `write` for the other
  /// two.
  case failed(SystemError)
}

/// Checks one file.
extension ConfigurationFiles {
  /// The problems of the file at `path`, which need not belong to the configuration yet. The receivers that it names
  /// may be defined in the files of the configuration. `nil` if there is no such file.
  package func problems(of path: String) -> [ConfigurationProblem]? {
    guard Self.exists(path) else { return nil }
    var layers = ServiceConfiguration.Layers()
    layers.files = texts.filter { $0.path != path } + [Self.text(path)]
    return ServiceConfiguration(layers).problems.filter {
      if case .file(path, _) = $0.origin { true } else { false }
    }
  }
}

/// Signals to a daemon.
package enum ProcessSignal {
  /// Makes the daemon load its configuration again; returns whether the signal was sent.
  package static func hangUp(_ process: Int32) -> Bool { process > 1 && kill(process, SIGHUP) == 0 }
}
