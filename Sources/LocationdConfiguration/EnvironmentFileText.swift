/// The environment file in which 0.1.0 had its settings: `/etc/default/locationd` (systemd.exec(5),
/// `EnvironmentFile=`).
package struct EnvironmentFileText: Hashable, Sendable {
  package var path: String
  package private(set) var assignments: [(name: String, value: String, line: Int)] = []

  /// The maximum number of lines that are read.
  private static let mostLines = 1000

  package init(path: String, _ bytes: [UInt8]) {
    self.path = path
    for (index, raw) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(Self.mostLines)
      .enumerated()
    {
      let line = String(decoding: raw.filter { $0 != 0x0D }, as: UTF8.self).trimmed
      guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";"),
        let equals = line.firstIndex(of: "=")
      else { continue }
      let name = line[..<equals].trimmed
      guard !name.isEmpty else { continue }
      assignments.append((name, Self.unquoted(line[line.index(after: equals)...].trimmed), index + 1))
    }
  }

  private static func unquoted(_ text: String) -> String {
    for quote in ["\"", "'"] where text.utf8.count >= 2 && text.hasPrefix(quote) && text.hasSuffix(quote) {
      return String(text.dropFirst().dropLast())
    }
    return text
  }

  package static func == (a: EnvironmentFileText, b: EnvironmentFileText) -> Bool {
    a.path == b.path && a.assignments.elementsEqual(b.assignments) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
