import LocationIPC

/// What `--version` says.
enum Version {
  static let current = Release.current
}
