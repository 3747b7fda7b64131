import Geodesy

/// A fix as assignments for a POSIX shell: `eval "$(locationctl fix --format shell)"`.
///
/// `LOCATION_LATITUDE`, `LOCATION_LONGITUDE`, `LOCATION_ACCURACY` and `LOCATION_TIMESTAMP` have the same names as for a
/// command that is run for a region event (`EventVariables`). Every other variable is named after its JSON key, such as
/// `LOCATION_SATELLITES_USED`. All are assigned, empty if unknown, so that none keeps the value of an earlier fix.
/// Values are in single quotes (POSIX.1-2024, XCU 2.2.2), so that nothing in a device's text is evaluated.
package enum ShellFormat {
  package static func lines(_ located: LocatedFix) -> [UInt8] {
    var bytes: [UInt8] = []
    for key in FixKey.allCases where key != .floor && key != .imported {
      bytes += "\(name(key))='".utf8
      switch key.value(of: located) {
      case .number(let number): number.append(to: &bytes)
      case .text(let text): bytes += quoted(text).utf8
      case .flag(let flag): bytes += (flag ? "true" : "false").utf8
      case .list(let items): bytes += quoted(items.joined(separator: " ")).utf8
      case nil: break
      }
      bytes += "'\n".utf8
    }
    return bytes
  }

  private static func name(_ key: FixKey) -> String {
    if key == .horizontalAccuracy { return "LOCATION_ACCURACY" }
    return key.rawValue.reduce(into: "LOCATION_") { name, letter in
      if letter.isUppercase { name.append("_") }
      name.append(letter.uppercased())
    }
  }

  /// The text in the form that it has inside of single quotes; harmful characters (`isHarmful`) become U+FFFD.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "'" {
        result += "'\\''"
      } else {
        result.unicodeScalars.append(scalar.isHarmful ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }
}
