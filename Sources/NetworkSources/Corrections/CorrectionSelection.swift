/// Where corrections come from, in the syntax of the setting `corrections`.
package enum CorrectionSelection: Hashable, Sendable {
  /// The caster of the file with this name, below /etc/locationd/ntrip.
  case caster(name: String)
  /// A file of RTCM 3, played at its own pace again and again, for tests.
  case file(path: String)

  /// The longest name, bytes.
  package static let longestName = 64

  /// Reads a name or `rtcm:FILE`; `nil` for other text.
  package init?(parsing text: String) {
    if text.hasPrefix("rtcm:") {
      guard case .corrections(let path)? = try? NetworkSource(parsing: text), path.hasPrefix("/") else { return nil }
      self = .file(path: path)
    } else {
      guard Self.isName(text) else { return nil }
      self = .caster(name: text)
    }
  }

  /// Letters, digits, `-`, `_` and `.`, which is not first: a file's name, and no way to another folder.
  package static func isName(_ text: String) -> Bool {
    (1...longestName).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The name of the caster, or the name of the file as the setting has it.
  package var name: String {
    switch self {
    case .caster(let name): name
    case .file(let path): "rtcm:\(path)"
    }
  }
}
