/// What a UART's driver has counted (TIOCGICOUNT, serial(4)), since the port was opened.
package struct LineErrors: Hashable, Sendable {
  /// Bytes without a stop bit.
  package var framing = 0
  /// The line was low for longer than a byte.
  package var breaks = 0
  /// Bytes that were lost in the hardware or in the driver.
  package var overruns = 0

  package init() {}

  /// What has come since `earlier`.
  package static func - (later: LineErrors, earlier: LineErrors) -> LineErrors {
    var difference = LineErrors()
    difference.framing = max(0, later.framing - earlier.framing)
    difference.breaks = max(0, later.breaks - earlier.breaks)
    difference.overruns = max(0, later.overruns - earlier.overruns)
    return difference
  }
}
