import Foundation

extension Surface {
  /// Reads the table; its first lines describe its format.
  init(table text: String) {
    var containers: [(indent: Int, name: String)] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let indent = line.prefix { $0 == " " }.count
      containers.removeAll { $0.indent >= indent }
      let container = containers.map(\.name).joined(separator: ".")
      let line = String(line.dropFirst(indent))
      guard let name = Self.typeName(in: line) else {
        declarations.insert(container + "." + Self.canonical(line))
        continue
      }
      let parts = line.split(separator: ": ", maxSplits: 1)
      declarations.insert(container + "." + parts[0])
      containers.append((indent, name))
      let path = containers.map(\.name).joined(separator: ".")
      let supertypes = parts.count < 2 ? [] : parts[1].components(separatedBy: ", ")
      conformances[path] = Set(supertypes.filter { !$0.hasPrefix("!") })
      excluded[path] = Set(supertypes.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
    }
  }

  /// The lists beside the table: `Container.declaration  # reason`.
  static func list(_ text: String) -> [String: String] {
    var entries: [String: String] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.components(separatedBy: "  # ")
      entries[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    return entries
  }

  private static func typeName(in declaration: String) -> String? {
    let words = declaration.split(separator: " ")
    guard
      let index = words.firstIndex(where: {
        ["class", "struct", "enum", "protocol", "actor", "typealias"].contains($0)
      }),
      index + 1 < words.count, words[index + 1] != "func"
    else { return nil }
    return String(words[index + 1].prefix { $0 != ":" })
  }
}
