/// Makes what a device, a process or a file system supplied fit for a sentence and for a command that a person will paste.
enum SafeText {
  /// Longer text is cut.
  static let maximumLength = 120

  /// Printable ASCII on one line, bounded: whatever else came is `?`.
  static func plain(_ text: String) -> String {
    var bytes = text.utf8.prefix(maximumLength).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    if text.utf8.count > maximumLength { bytes += "...".utf8 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One word of a shell's command line, whatever is in it (POSIX Shell Command Language, 2.2.2).
  static func word(_ text: String) -> String {
    let text = plain(text)
    let isHarmless = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case _: "/._:@+-".utf8.contains(byte)
      }
    }
    // A leading dash would be an option.
    guard isHarmless, !text.isEmpty, !text.hasPrefix("-") else {
      return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    return text
  }
}
