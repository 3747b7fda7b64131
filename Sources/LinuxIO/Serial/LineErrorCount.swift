internal import CLinux

/// What a UART's driver has counted on its line (TIOCGICOUNT), since it was loaded.
package struct LineErrorCount: Hashable, Sendable {
  /// Bytes without a stop bit.
  package var framing: Int
  /// The line was low for longer than a byte.
  package var breaks: Int
  /// Bytes lost in the hardware or in the driver.
  package var overruns: Int

  /// `nil` where the driver does not count: pseudo-terminals, CDC-ACM of old kernels.
  init?(of descriptor: Int32) {
    var errors = clinux_line_errors()
    guard unsafe clinux_line_errors_get(descriptor, &errors) == 0 else { return nil }
    framing = Int(errors.framing)
    breaks = Int(errors.breaks)
    overruns = Int(errors.overruns)
  }
}
