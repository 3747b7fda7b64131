/// Texts for a desktop's notification, in the arguments of notify-send(1).
package enum NotificationMarkup {
  /// A body that shows as it is: markup is escaped, and so are the backslashes that notify-send expands in a body (g_strcompress).
  package static func escaped(_ line: String) -> String {
    var escaped = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
