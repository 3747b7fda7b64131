import LocationIPC

/// The output of `--version`.
enum Version {
  static let current = Release.current
}
