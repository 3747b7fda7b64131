/// The installed `/etc/locationd.conf`: every setting with its default, as a comment. A test compares the file with this text.
package enum ConfigurationTemplate {
  private static let width = 110

  package static var text: String {
    var lines = wrapped(
      "Settings of locationd. locationd.conf(5) describes them all. To change one, remove the # before it, or run "
        + "'sudo locationctl config set KEY VALUE', which writes to /etc/locationd.conf.d and not to this file. Apply changes with "
        + "'sudo systemctl reload locationd'. Check this file with 'locationctl config check'.")
    for key in SettingKey.allCases {
      lines.append("")
      lines += wrapped(key.isAppliedAtRunTime ? key.help : "\(key.help) Needs a restart.")
      lines.append("#\(key.name) = \(key.usualText ?? "")".trimmed)
    }
    lines.append("")
    lines += wrapped(
      "A receiver with a name, which --source, prefer, 'locationctl devices' and 'locationctl status' use. 'locationctl devices' prints "
        + "the ID.")
    lines += ["#[receiver \"roof\"]", "#id = usb-1546-01a7-12345678", "#port = /dev/ttyACM0"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append("# \(word)")
      }
    }
    return lines
  }
}
