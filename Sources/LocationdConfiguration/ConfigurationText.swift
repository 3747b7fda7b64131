import LocationdService

/// The content of one file of the configuration: its assignments, and its faults.
package struct ConfigurationText: Hashable, Sendable {
  /// One line `key = value`.
  package struct Assignment: Hashable, Sendable {
    /// The section that the assignment is in; empty: the assignment is before the first section.
    package var section: String
    package var key: String
    /// Empty: the default applies again.
    package var value: String
    package var line: Int

    package init(section: String, key: String, value: String, line: Int) {
      (self.section, self.key, self.value, self.line) = (section, key, value, line)
    }
  }

  /// Why a file, or a line of it, cannot be used.
  package enum Fault: Hashable, Sendable {
    case noAssignment
    /// The line has more than `limit` bytes, the most that the parser reads.
    case lineTooLong(limit: Int)
    /// The line contains a control character, or is not UTF-8.
    case notText
    case tooManyLines
    /// The file cannot be read; the payload says why.
    case unreadable(String)
  }

  package var path: String
  package var assignments: [Assignment] = []
  package var faults: [(line: Int, fault: Fault)] = []

  package init(path: String) { self.path = path }

  package static func == (a: ConfigurationText, b: ConfigurationText) -> Bool {
    a.path == b.path && a.assignments == b.assignments && a.faults.elementsEqual(b.faults) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(assignments)
  }
}

/// What a section of a file is about.
enum ConfigurationSection: Hashable {
  /// The settings of the service: before the first section, or `[locationd]`.
  case service
  /// `[receiver "NAME"]` or `[receiver NAME]`.
  case receiver(String)
  /// `[receiver …]` with what cannot be a name.
  case badReceiver(String)
  case unknown

  init(_ text: String) {
    guard !text.isEmpty, text != "locationd" else {
      self = .service
      return
    }
    let words = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
    guard words.first == "receiver", words.count == 2 else {
      self = .unknown
      return
    }
    var name = words[1].trimmed
    if name.utf8.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") { name = String(name.dropFirst().dropLast()) }
    self = NamedReceiver.isName(name) ? .receiver(name) : .badReceiver(name)
  }
}
