package import LocationIPC

/// Why a device could not be opened, as far as it decides what happens next.
package enum OpenProblem: Hashable, Sendable {
  /// Another process of this software has it; the host tells when it is free (`portFreed`).
  case lockedByOwn(pid: Int32?)
  /// Someone else has it.
  case inUse(PortHolder)
  /// This user may not.
  case permissionDenied(group: String?)
  /// It cannot be a receiver, or the system refused.
  case cannotOpen(OpenFailure)
}
