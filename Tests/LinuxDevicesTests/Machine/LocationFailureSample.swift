import LocationIPC

/// Failures of a port whose name somebody chose with malice.
enum LocationFailureSample {
  static func inUse(_ path: String) -> LocationFailure { .portInUse(path: path, holder: .process(pid: 7, name: path)) }
  static func missing(_ path: String) -> LocationFailure { .cannotOpen(path: path, reason: .doesNotExist) }
  static func denied(_ path: String) -> LocationFailure { .permissionDenied(path: path, group: "x; reboot") }
}
