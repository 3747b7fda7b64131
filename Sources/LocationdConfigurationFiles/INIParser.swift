internal import CINI
package import LocationdConfiguration

/// Reads the text of a file with libinih, line by line, so that each assignment has its line number.
///
/// libinih interprets names, values, sections and the comments after them. Lines that it would truncate are reported as
/// faults and not passed to it. Blanks at the beginning of a line are removed, because it would join an indented line
/// to the previous one.
package enum INIParser {
  /// Maximum number of lines read; a fault reports that there are more.
  package static let mostLines = 2000

  package static func parse(_ bytes: [UInt8], path: String) -> ConfigurationText {
    let run = INIRun(bytes, path: path)
    withExtendedLifetime(run) {
      let user = unsafe Unmanaged.passUnretained(run).toOpaque()
      // The result is the first line with an error; `INIRun` records all of them.
      _ = unsafe ini_parse_stream(
        { buffer, size, stream in
          guard let buffer = unsafe buffer, let stream = unsafe stream else { return nil }
          return unsafe Unmanaged<INIRun>.fromOpaque(stream).takeUnretainedValue().next(into: buffer, Int(size))
        }, user,
        { user, section, name, value in
          guard let user = unsafe user, let section = unsafe section, let name = unsafe name, let value = unsafe value
          else { return 0 }
          unsafe Unmanaged<INIRun>.fromOpaque(user).takeUnretainedValue().take(
            String(cString: section), String(cString: name), String(cString: value))
          return 1
        }, user)
      run.end()
    }
    return run.text
  }
}

/// One run of the parser over a text.
private final class INIRun {
  private(set) var text: ConfigurationText
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 0
  /// Whether the parser's current line is neither blank nor a comment nor the header of a section, and the parser has
  /// not reported an assignment in it yet.
  private var isAssignmentDue = false

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    text = ConfigurationText(path: path)
  }

  /// Gives the parser the next line, as fgets(3) does.
  func next(into buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> UnsafeMutablePointer<CChar>? {
    end()
    guard offset < bytes.count, size > 2 else { return nil }
    guard line < INIParser.mostLines else {
      text.faults.append((line, .tooManyLines))
      offset = bytes.count
      return nil
    }
    line += 1
    let lineEnd = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    var content = trimmed(bytes[offset..<lineEnd])
    offset = min(lineEnd + 1, bytes.count)
    // A byte order mark at the start of the file.
    if line == 1, content.starts(with: [0xEF, 0xBB, 0xBF]) { content = trimmed(content.dropFirst(3)) }
    // Comments may be of any length, and in any encoding.
    if content.first == UInt8(ascii: "#") || content.first == UInt8(ascii: ";") { content = [] }
    if let fault = Self.fault(of: content, limit: size - 3) {
      text.faults.append((line, fault))
      content = []
    }
    switch content.first {
    case nil: isAssignmentDue = false
    case UInt8(ascii: "["): isAssignmentDue = !content.contains(UInt8(ascii: "]"))
    default: isAssignmentDue = true
    }
    var index = 0
    for byte in content {
      unsafe buffer[index] = CChar(bitPattern: byte)
      index += 1
    }
    unsafe buffer[index] = 0x0A
    unsafe buffer[index + 1] = 0
    return unsafe buffer
  }

  func take(_ section: String, _ name: String, _ value: String) {
    isAssignmentDue = false
    text.assignments.append(ConfigurationText.Assignment(section: section, key: name, value: value, line: line))
  }

  /// Called when the parser has finished its current line: reports a fault if that line had to be an assignment and was
  /// none. Does nothing if it is called again for the same line.
  func end() {
    guard isAssignmentDue else { return }
    isAssignmentDue = false
    text.faults.append((line, .noAssignment))
  }

  /// The line without blanks at both ends: libinih would treat an indented line as the continuation of the previous
  /// one.
  private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return line[first...last]
  }

  private static func fault(of line: ArraySlice<UInt8>, limit: Int) -> ConfigurationText.Fault? {
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }), String(validating: line, as: UTF8.self) != nil
    else { return .notText }
    // libinih keeps only the first 49 bytes of the name of a section.
    if let first = line.first, first == UInt8(ascii: "["), line.count > 51 { return .lineTooLong(limit: 51) }
    return line.count <= limit ? nil : .lineTooLong(limit: limit)
  }
}
