internal import CLinux

/// When this program was compiled: no time before it can be true, which bounds the era of a receiver's week number.
package enum BuildDate {
  /// As C says it: "Nov 21 2026", the day padded with a space.
  package static let text = unsafe String(cString: clinux_build_date())
}
