package import LocationIPC

/// Why a device could not be opened, as far as that decides what happens next.
package enum OpenProblem: Hashable, Sendable {
  /// Another process of this software holds it; the host reports when it is free (`portFreed`).
  case lockedByOwn(pid: Int32?)
  /// Another program holds it.
  case inUse(PortHolder)
  /// This user has no permission.
  case permissionDenied(group: String?)
  /// It cannot be a receiver, or the system refused to open it.
  case cannotOpen(OpenFailure)
}
