/// The directives of a chrony configuration, as far as receivers need them (chrony.conf(5)).
package struct ChronyConfiguration: Hashable, Sendable {
  /// A directive with its arguments.
  package struct Directive: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The name in lower case.
    package var name: String
    package var arguments: [String]
  }

  /// A reference clock.
  package struct ReferenceClock: Hashable, Sendable {
    package var line: Int
    /// `SOCK`, `PPS`, `SHM` or `PHC`, in upper case.
    package var driver: String
    /// The path or number, without the driver's own options.
    package var parameter: String
    /// The options with a value, by their names in lower case.
    package var values: [String: String]
    /// Options without a value, in lower case.
    package var flags: Set<String>
  }

  package private(set) var directives: [Directive] = []

  /// More than any configuration has; further lines are ignored.
  private static let mostLines = 10_000

  /// Reads the text of a file. Unknown directives are kept: whether they are valid is not this program's concern.
  package init(_ text: String) {
    for (index, line) in Self.lines(of: text).prefix(Self.mostLines).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first, let mark = first.first, !"#%;!".contains(mark) else { continue }
      directives.append(
        Directive(line: index + 1, name: first.lowercased(), arguments: words.dropFirst().map(String.init)))
    }
  }

  /// The lines of a text. CR LF ends a line, too: it is one `Character`.
  static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  package var referenceClocks: [ReferenceClock] {
    directives.compactMap { directive in
      guard directive.name == "refclock", directive.arguments.count >= 2 else { return nil }
      let parameter = directive.arguments[1].prefix { $0 != ":" }
      var clock = ReferenceClock(
        line: directive.line, driver: directive.arguments[0].uppercased(), parameter: String(parameter), values: [:],
        flags: [])
      var rest = directive.arguments.dropFirst(2)
      while let option = rest.popFirst()?.lowercased() {
        if Self.flags.contains(option) {
          clock.flags.insert(option)
        } else if let value = rest.popFirst() {
          clock.values[option] = value
        }
      }
      return clock
    }
  }

  /// The options of `refclock` that have no value.
  private static let flags: Set = ["noselect", "prefer", "trust", "require", "tai", "local", "pps"]

  /// The folders whose files belong to the configuration.
  package var folders: [String] {
    directives.filter { $0.name == "confdir" }.flatMap(\.arguments).map { path in
      path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
  }

  /// Whether chrony may step a clock that is far off at its start.
  package var stepsClock: Bool {
    directives.contains { $0.name == "makestep" || $0.name == "initstepslew" }
  }
}
