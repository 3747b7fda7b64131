/// One thing that is wrong, or good to know: its cause in one sentence, and the one command or act that mends it.
///
/// Both texts are printable, one line, and bounded: what a device supplied has been through `SafeText`.
package struct Finding: Hashable, Sendable {
  package var code: FindingCode
  package var severity: Severity
  package var sentence: String
  /// A shell command, or an act in the imperative where no command does it.
  package var command: String
  /// Path of the device that it is about; `nil`: the machine.
  package var device: String?

  init(_ code: FindingCode, _ severity: Severity, _ sentence: String, command: String, device: String? = nil) {
    self.code = code
    self.severity = severity
    self.sentence = sentence
    self.command = command
    self.device = device.map { SafeText.plain($0) }
  }
}
