import Glibc

/// One flat JSON object of strings, written immediately to standard output.
struct JSONLine {
  var event: String
  var fields: [(name: String, value: String)]

  func write() {
    let members = ([("event", event)] + fields).map { "\(quoted($0.0)):\(quoted($0.1))" }
    let bytes = Array("{\(members.joined(separator: ","))}\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value > 0x7E: "."
      case _: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
