internal import CLinux
import Glibc

/// The settings of a serial line: sets raw mode and the baud rate, and restores the earlier settings.
struct SerialLine {
  private var settings: clinux_line

  /// Reads the current settings of `descriptor`.
  init(of descriptor: Int32) throws(SystemError) {
    var settings = clinux_line()
    try SystemCall.run("get line settings") { unsafe clinux_line_get(descriptor, &settings) }
    self.settings = settings
  }

  /// Bits per second; `nil` if the line is hung up, or if the two directions differ.
  var speed: Int? {
    settings.output_speed == settings.input_speed && settings.output_speed > 0 ? Int(settings.output_speed) : nil
  }

  /// The settings for raw bytes, 8N1, without flow control, echo, modem control or HUPCL.
  func raw() -> SerialLine {
    var line = self
    unsafe clinux_line_make_raw(&line.settings)
    return line
  }

  /// The settings without HUPCL, so that closing leaves DTR as it is.
  func withoutHangUpOnClose() -> SerialLine {
    var line = self
    line.settings.control &= ~UInt32(HUPCL)
    return line
  }

  /// The settings at `speed` bits per second.
  func atSpeed(_ speed: Int) throws(SystemError) -> SerialLine {
    // 0 would mean "hang up"; no UART is faster than 16 MBd.
    guard speed > 0, speed <= 16_000_000 else { throw SystemError(operation: "set line speed", errno: EINVAL) }
    var line = self
    unsafe clinux_line_set_speed(&line.settings, UInt32(speed))
    return line
  }

  /// Applies these settings to `descriptor` at once.
  func apply(to descriptor: Int32) throws(SystemError) {
    var settings = settings
    try SystemCall.run("set line settings") { unsafe clinux_line_set(descriptor, &settings) }
  }
}

/// The error counts of a UART's driver (TIOCGICOUNT), counted since the driver was loaded.
package struct LineErrorCount: Hashable, Sendable {
  /// Bytes without a stop bit.
  package var framing: Int
  /// The line was low for longer than a byte.
  package var breaks: Int
  /// Bytes lost in the hardware or in the driver.
  package var overruns: Int

  /// `nil` if the driver does not count errors: pseudo-terminals, CDC-ACM of old kernels.
  init?(of descriptor: Int32) {
    var errors = clinux_line_errors()
    guard unsafe clinux_line_errors_get(descriptor, &errors) == 0 else { return nil }
    framing = Int(errors.framing)
    breaks = Int(errors.breaks)
    overruns = Int(errors.overruns)
  }
}
