/// Where a value comes from.
package enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line: `--log-level`.
  case option(String)
  /// An environment variable.
  case variable(String)
  /// A line of a file of the configuration; line 0: the file as a whole.
  case file(path: String, line: Int)
  /// A variable in the environment file of 0.1.0, which the systemd unit still reads.
  case environmentFile(path: String, line: Int, variable: String)
  case builtIn

  /// For a table: `/etc/locationd.conf:3`.
  package var text: String {
    switch self {
    case .option(let name), .variable(let name): name
    case .file(let path, let line): "\(path):\(line)"
    case .environmentFile(let path, let line, let variable): "\(path):\(line) (\(variable))"
    case .builtIn: "default"
    }
  }

  /// For a sentence: the variable or the option, or the key with its file and line.
  package func naming(_ key: SettingKey) -> String {
    switch self {
    case .option(let name), .variable(let name): name
    case .file, .environmentFile, .builtIn: "\(key.name) (\(text))"
    }
  }

  /// The kind, for programs.
  package var kind: String {
    switch self {
    case .option: "option"
    case .variable: "environment"
    case .file: "file"
    case .environmentFile: "environment-file"
    case .builtIn: "default"
    }
  }
}

/// One setting with its value and its origin.
package struct ConfiguredSetting: Hashable, Sendable {
  /// A key of `SettingKey`, or `receiver.NAME.id` or `receiver.NAME.port`.
  package var key: String
  /// `nil`: not set, and there is no default.
  package var value: String?
  package var origin: SettingOrigin

  package init(key: String, value: String?, origin: SettingOrigin) {
    (self.key, self.value, self.origin) = (key, value, origin)
  }
}

/// What is wrong with the configuration, in one or two sentences. A problem never keeps the daemon from starting.
package struct ConfigurationProblem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// There is no such setting, section or variable.
    case unknown
    /// A value is not valid.
    case invalid
    /// A file or a line cannot be read.
    case unreadable
  }

  package var kind: Kind
  package var origin: SettingOrigin
  package var sentence: String
  /// The name that was probably meant; `nil`: none is near.
  package var suggestion: String?
}
