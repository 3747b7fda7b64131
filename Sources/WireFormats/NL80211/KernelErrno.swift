/// Error numbers of the kernel's answers (include/uapi/asm-generic/errno-base.h, errno.h), which are the same on every machine
/// this is built for.
package enum KernelErrno {
  /// This user may not.
  package static let notPermitted: Int32 = 1  // EPERM
  /// There is no such thing.
  package static let noSuchThing: Int32 = 2  // ENOENT
  /// The driver cannot just now.
  package static let tryAgain: Int32 = 11  // EAGAIN
  /// This user may not, says a security module.
  package static let denied: Int32 = 13  // EACCES
  /// A scan is under way, or the radio may not leave its channel.
  package static let busy: Int32 = 16  // EBUSY
  /// There is no such interface.
  package static let noSuchDevice: Int32 = 19  // ENODEV
  /// The request cannot be met as it stands, as with a channel that the radio does not have.
  package static let invalid: Int32 = 22  // EINVAL
  /// The radio does not do that.
  package static let notSupported: Int32 = 95  // EOPNOTSUPP
  /// The interface is down.
  package static let interfaceDown: Int32 = 100  // ENETDOWN
}
