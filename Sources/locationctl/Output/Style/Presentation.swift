import Geodesy
import LinuxIO

/// How text for people is printed: the colors, the characters, the zone of times, and the number of columns.
package struct Presentation: Hashable, Sendable {
  /// Whether to print SGR sequences.
  package var usesColor: Bool
  /// Whether marks and units may use characters outside ASCII.
  package var usesUnicode: Bool
  /// The number of columns of the terminal; `nil`: no limit.
  package var width: Int?
  /// Whether times are local and shown with their zone; otherwise they are UTC.
  package var showsLocalTime: Bool

  package init(usesColor: Bool, usesUnicode: Bool, width: Int?, showsLocalTime: Bool) {
    (self.usesColor, self.usesUnicode) = (usesColor, usesUnicode)
    (self.width, self.showsLocalTime) = (width, showsLocalTime)
  }

  /// Text in a pipe or a file.
  package static let pipe = Presentation(usesColor: false, usesUnicode: true, width: nil, showsLocalTime: false)

  /// The presentation for standard output.
  static var current: Presentation {
    let isTerminal = Results.areForPeople
    return Presentation(
      usesColor: ColorMode.usesColor(isTerminal: isTerminal), usesUnicode: isUTF8(ProcessEnvironment.value),
      width: isTerminal ? Terminal.size(1)?.columns : nil, showsLocalTime: isTerminal)
  }

  /// The presentation for lists and reports on standard output: their times are local wherever the text goes, so that every command
  /// shows the same ones. Streams of fixes have UTC in a pipe.
  static var ofReports: Presentation {
    var presentation = current
    presentation.showsLocalTime = true
    return presentation
  }

  /// The presentation for fixes on standard output; in a pipe, their units do not depend on the locale.
  static var ofFixes: Presentation {
    var presentation = current
    if !Results.areForPeople { presentation.usesUnicode = true }
    return presentation
  }

  /// Whether the locale's encoding is UTF-8: the first variable that is set decides (locale(7)).
  package static func isUTF8(_ value: (String) -> String?) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
    let encoding = locale.uppercased()
    return encoding.holds("UTF-8") || encoding.holds("UTF8")
  }

  /// A mark, or its replacement for terminals that have only ASCII.
  package func mark(_ unicode: String, ascii: String) -> String { usesUnicode ? unicode : ascii }
}

/// The marks of states, as in systemctl(1) and in checklists.
extension Presentation {
  package var dot: String { mark("●", ascii: "*") }
  package var hollowDot: String { mark("○", ascii: "o") }
  package var check: String { mark("✓", ascii: "+") }
  package var cross: String { mark("✗", ascii: "x") }
  package var arrow: String { mark("→", ascii: "->") }
  package var plusMinus: String { mark("±", ascii: "+-") }
  package var degree: String { mark("°", ascii: "") }
}
