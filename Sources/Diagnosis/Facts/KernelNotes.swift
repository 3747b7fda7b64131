/// What the kernel's log says of USB. Counts since the start, as far as the log reaches.
package struct KernelNotes: Hashable, Sendable {
  /// Devices that went away, by their place ("1-1.4").
  package var disconnects: [String: Int] = [:]
  /// Places where a device was plugged in that the kernel could not talk to.
  package var unrecognized: Set<String> = []

  package init() {}
}
