/// A notification for a person's desktop.
package struct DesktopNotification: Hashable, Sendable {
  package let title: String
  package let body: String

  /// Bytes.
  package static let (longestTitle, longestBody) = (256, 2048)

  /// `nil`: no title, a NUL, or too long.
  package init?(title: String, body: String) {
    guard !title.isEmpty, title.utf8.count <= Self.longestTitle, body.utf8.count <= Self.longestBody,
      !title.utf8.contains(0), !body.utf8.contains(0)
    else { return nil }
    (self.title, self.body) = (title, body)
  }
}

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
