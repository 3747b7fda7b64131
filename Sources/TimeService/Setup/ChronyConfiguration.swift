/// A line of a chrony configuration.
package struct ChronyLine: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The path of the file; empty: the configuration is a text without a file.
  package var file: String
  /// From 1.
  package var number: Int

  package init(file: String, _ number: Int) { (self.file, self.number) = (file, number) }
  package init(integerLiteral value: Int) { self.init(file: "", value) }
}

/// The directives of a chrony configuration, as far as receivers need them (chrony.conf(5)).
package struct ChronyConfiguration: Hashable, Sendable {
  /// A directive with its arguments.
  package struct Directive: Hashable, Sendable {
    package var line: ChronyLine
    /// The name in lower case.
    package var name: String
    package var arguments: [String]
  }

  /// A reference clock.
  package struct ReferenceClock: Hashable, Sendable {
    package var line: ChronyLine
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

  /// More than any configuration has; further lines and files are ignored.
  private static let (mostLines, mostFiles) = (10_000, 256)
  /// Files that include files: as chronyd has it (MAX_INCLUDE_LEVEL in conf.c).
  private static let mostLevels = 10

  /// Reads the text of a file. Unknown directives are kept: whether they are valid is not this program's concern.
  package init(_ text: String) {
    append(text, file: "")
  }

  /// Reads a file with the files of its directives `include` and `confdir`, in the order in which chronyd reads them. Those of `sourcedir`
  /// contain only servers.
  ///
  /// - Parameters:
  ///   - own: the path of a file that is left out.
  ///   - text: the text of a file; `nil`: it cannot be read.
  ///   - names: the names in a folder.
  package init(file: String, without own: String, text: (String) -> String?, names: (String) -> [String]) {
    var filesRead = 0
    read(file, level: 0, &filesRead, without: own, text: text, names: names)
  }

  private mutating func read(
    _ file: String, level: Int, _ filesRead: inout Int, without own: String, text: (String) -> String?,
    names: (String) -> [String]
  ) {
    guard level <= Self.mostLevels, filesRead < Self.mostFiles, file != own, let content = text(file) else { return }
    filesRead += 1
    var part = ChronyConfiguration("")
    part.append(content, file: file)
    for directive in part.directives {
      directives.append(directive)
      let files: [String] =
        switch directive.name {
        case "include": directive.arguments.prefix(1).flatMap { Self.files(matching: $0, names) }
        case "confdir": Self.files(of: directive.arguments, names)
        default: []
        }
      for included in files {
        read(included, level: level + 1, &filesRead, without: own, text: text, names: names)
      }
    }
  }

  /// The files of several folders together, in the order of their names; of files with the same name, that of the first folder.
  private static func files(of folders: [String], _ names: (String) -> [String]) -> [String] {
    var paths: [String: String] = [:]
    for folder in folders.map(withoutSlash) {
      for name in names(folder) where name.hasSuffix(".conf") && paths[name] == nil {
        paths[name] = "\(folder)/\(name)"
      }
    }
    return paths.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  /// The files of a pattern (glob(7)) whose wildcards `*` and `?` are in the name of the file, and not in a folder.
  private static func files(matching pattern: String, _ names: (String) -> [String]) -> [String] {
    guard pattern.contains(where: { "*?".contains($0) }), let slash = pattern.lastIndex(of: "/") else {
      return [pattern]
    }
    let (folder, name) = (String(pattern[..<slash]), Array(pattern[pattern.index(after: slash)...].utf8))
    return names(folder).filter { matches(Array($0.utf8)[...], name[...]) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    // The latest `*`, and the part of the name that it stands for: it grows until the rest matches.
    var (name, pattern) = (name, pattern)
    var star: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    // A leading dot has to be written.
    if name.first == UInt8(ascii: "."), pattern.first != UInt8(ascii: ".") { return false }
    while let byte = name.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        star = (pattern, name)
      } else if pattern.first == byte || pattern.first == UInt8(ascii: "?") {
        (name, pattern) = (name.dropFirst(), pattern.dropFirst())
      } else if let last = star {
        star = (last.pattern, last.name.dropFirst())
        (name, pattern) = (last.name.dropFirst(), last.pattern)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private mutating func append(_ text: String, file: String) {
    for (index, line) in Self.lines(of: text).prefix(Self.mostLines).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first, let mark = first.first, !"#%;!".contains(mark) else { continue }
      directives.append(
        Directive(
          line: ChronyLine(file: file, index + 1), name: first.lowercased(),
          arguments: words.dropFirst().map(String.init)))
    }
  }

  private static func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
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
    directives.filter { $0.name == "confdir" }.flatMap(\.arguments).map(Self.withoutSlash)
  }

  /// Whether chrony may step a clock that is far off at its start.
  package var stepsClock: Bool {
    directives.contains { $0.name == "makestep" || $0.name == "initstepslew" }
  }
}
