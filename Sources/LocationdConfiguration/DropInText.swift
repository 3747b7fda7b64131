import Geodesy
package import LocationdService
import NetworkSources

/// The drop-in that `locationctl config set` and `config unset` change, line by line: lines that they do not change,
/// such as comments, stay as they are.
package struct DropInText: Hashable, Sendable {
  /// The name of the file in the folder of drop-ins. Files with a later name take precedence.
  package static let name = "90-locationctl.conf"
  /// The first line of a new file.
  private static let mark = Line(
    Array("# Written by 'locationctl config set'. Files with a later name take precedence.".utf8))

  private struct Line: Hashable, Sendable {
    /// Without the line feed at its end.
    var bytes: [UInt8]
    /// The setting that the line sets; `nil`: the line is a comment, blank, the header of a section, or not understood.
    var key: String?
    /// The section that the line begins, without the brackets; `nil`: the line is not a header.
    var section: String?

    init(_ bytes: [UInt8], key: String? = nil, section: String? = nil) {
      (self.bytes, self.key, self.section) = (bytes, key, section)
    }

    var isBlank: Bool { bytes.allSatisfy { DropInText.isBlank($0) } }
    var isComment: Bool {
      let first = bytes.first { !DropInText.isBlank($0) }
      return first == UInt8(ascii: "#") || first == UInt8(ascii: ";")
    }
  }

  private var lines: [Line] = []

  /// An empty file.
  package init() {}

  /// The file as it is now.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: the same, parsed.
  package init(_ bytes: [UInt8], _ file: ConfigurationText) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let faulty = Set(file.faults.map(\.line))
    lines = content.split(separator: 0x0A, omittingEmptySubsequences: false).map { Line(Array($0)) }
    if lines.last?.bytes.isEmpty == true { lines.removeLast() }
    for index in lines.indices where !faulty.contains(index + 1) {
      lines[index].section = Self.section(lines[index].bytes)
    }
    for assignment in file.assignments where lines.indices.contains(assignment.line - 1) {
      lines[assignment.line - 1].key = Self.key(of: assignment)
    }
  }

  /// The setting that an assignment sets; `nil`: this program does not know the setting.
  private static func key(of assignment: ConfigurationText.Assignment) -> String? {
    switch ConfigurationSection(assignment.section) {
    case .service: SettingKey(rawValue: assignment.key)?.name
    case .receiver(let name):
      ReceiverSetting.Field(rawValue: assignment.key).map { ReceiverSetting(receiver: name, field: $0).text }
    case .badReceiver, .unknown: nil
    }
  }

  private static func section(_ line: [UInt8]) -> String? {
    let text = line.drop { isBlank($0) }
    guard text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    return String(decoding: text[text.startIndex + 1..<end], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// Whether nothing would be lost without the file.
  package var isEmpty: Bool { lines.allSatisfy { $0.isBlank || $0 == Self.mark } }

  /// Sets a key of `SettingKey` or `ReceiverSetting`.
  package mutating func set(_ key: String, to value: String) {
    let setting = ReceiverSetting(key)
    let line = Line(Array("\(setting?.field.rawValue ?? key) = \(value)".utf8), key: key)
    if let index = lines.lastIndex(where: { $0.key == key }) { return replace(index, by: line) }
    if lines.isEmpty { lines = [Self.mark] }
    guard let setting else { return insert(line) }
    let isOfReceiver = { (key: String) in ReceiverSetting(key)?.receiver == setting.receiver }
    if let index = lines.lastIndex(where: { $0.key.map(isOfReceiver) ?? false }) {
      return lines.insert(line, at: index + 1)
    }
    let section = "receiver \"\(setting.receiver)\""
    if lines.last?.isBlank == false { lines.append(Line([])) }
    lines += [Line(Array("[\(section)]".utf8), section: section), line]
  }

  /// Keeps the comment at the end of the line that is replaced; if the new line then became too long, the comment moves
  /// to a line of its own above it.
  private mutating func replace(_ index: Int, by line: Line) {
    let old = lines[index].bytes
    lines[index].bytes = line.bytes
    let start = old.indices.dropFirst().first { old[$0] == UInt8(ascii: ";") && Self.isBlank(old[$0 - 1]) }
    guard let start else { return }
    let comment = old[start...].reversed().drop { Self.isBlank($0) }.reversed()
    if line.bytes.count + 1 + comment.count <= Self.longestLine {
      lines[index].bytes += [0x20] + comment
    } else {
      lines.insert(Line(Array(comment)), at: index)
    }
  }

  /// Adds a setting of the service: below the last one that the file has, otherwise near the beginning of the file,
  /// above all sections.
  private mutating func insert(_ line: Line) {
    if let index = lines.lastIndex(where: { $0.key.map { SettingKey(rawValue: $0) != nil } ?? false }) {
      return lines.insert(line, at: index + 1)
    }
    // Comments at the beginning belong to the file if a blank line or nothing follows them; otherwise they belong to
    // the line that follows.
    let comments = lines.prefix { $0.isComment }.count
    lines.insert(line, at: comments == lines.count || lines[comments].isBlank ? comments : 0)
  }

  /// Removes the lines that set the key, and the receiver's section if nothing is left in it; returns whether the file
  /// had the key.
  package mutating func unset(_ key: String) -> Bool {
    let count = lines.count
    lines.removeAll { $0.key == key }
    guard lines.count != count else { return false }
    if let receiver = ReceiverSetting(key)?.receiver { removeEmptySections(of: receiver) }
    return true
  }

  private mutating func removeEmptySections(of receiver: String) {
    // Only the header and the blank lines next to it are removed, so the lines above keep their indexes.
    for index in lines.indices.reversed() where index < lines.count {
      guard let section = lines[index].section, ConfigurationSection(section) == .receiver(receiver) else { continue }
      let end = lines[(index + 1)...].firstIndex { !$0.isBlank } ?? lines.endIndex
      guard end == lines.endIndex || lines[end].section != nil else { continue }
      let start = lines[..<index].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0
      // One blank line stays between the lines above and the lines below.
      let kept = start > 0 && end < lines.endIndex && start < index ? start + 1 : start
      lines.removeSubrange(kept..<end)
    }
  }

  /// The content of the file.
  package var bytes: [UInt8] { lines.flatMap { $0.bytes + [0x0A] } }

  /// The longest line that every build of libinih reads, in bytes without the line feed.
  package static let longestLine = 197

  /// Checks a key and a value before they are written.
  ///
  /// - Parameter receivers: the receivers that a value of `source` or `prefer` may name.
  package static func check(_ key: String, _ value: String, receivers: [NamedReceiver]) throws(SettingRefusal) {
    guard !value.isEmpty else {
      throw .invalid(
        "The value of \(ServiceConfiguration.shown(key)) is empty: give a value, or remove the setting with 'config unset'."
      )
    }
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !value.holds(" ;"), value.trimmed == value,
      !value.hasPrefix(";"), !value.hasPrefix("#")
    else {
      throw .invalid(
        "\(ServiceConfiguration.shown(key)) cannot have the value '\(shown(value))' in a file: use one line of ASCII text without ' ;', or remove the setting with 'config unset'."
      )
    }
    guard key.utf8.count + value.utf8.count + 3 <= longestLine else {
      throw .invalid(
        "The value of \(ServiceConfiguration.shown(key)) is too long for a file: use its environment variable.")
    }
    if let setting = ReceiverSetting(key) {
      guard let invalid = ReceiverSetting.invalid(setting.field, value) else { return }
      throw .invalid("'\(shown(value))' \(invalid.predicate)")
    }
    guard let known = SettingKey(rawValue: key) else { throw unknown(key) }
    do throws(InvalidSetting) {
      var settings = ServiceSettings()
      settings.receivers.receivers = receivers
      try settings.set(known, to: value)
    } catch {
      // Some reasons contain the wrong part of the value. An address of a provider may contain its key.
      let showsValue = !error.reason.contains("'") && ![.wifiProvider, .placesProvider].contains(known)
      throw .invalid("\(showsValue ? "'\(shown(value))'" : key) \(error.predicate)")
    }
  }

  /// A value for a sentence, without a user name and a password.
  private static func shown(_ value: String) -> String {
    ServiceConfiguration.shown(NetworkSource.withoutCredentials(value))
  }

  /// Checks that a key exists.
  package static func check(_ key: String) throws(SettingRefusal) {
    guard SettingKey(rawValue: key) == nil, ReceiverSetting(key) == nil else { return }
    throw unknown(key)
  }

  private static func unknown(_ key: String) -> SettingRefusal {
    let names = SettingKey.allCases.map(\.name)
    if let near = Suggestion.nearest(to: key, in: names) {
      return .unknown("There is no setting '\(ServiceConfiguration.shown(key))': did you mean '\(near)'?")
    }
    return .unknown(
      "There is no setting '\(ServiceConfiguration.shown(key))': use one of \(names.joined(separator: ", ")), receiver.NAME.id or "
        + "receiver.NAME.port.")
  }
}

/// Why `locationctl config` refuses a key or a value, as one sentence.
package enum SettingRefusal: Error, Hashable, Sendable {
  case unknown(String)
  case invalid(String)

  package var sentence: String {
    switch self {
    case .unknown(let sentence), .invalid(let sentence): sentence
    }
  }
}
