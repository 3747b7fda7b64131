/// The name of a systemd unit, as programs make and read it.
struct UnitName {
  /// Bytes that systemd allows (UNIT_NAME_MAX).
  static let longest = 255

  private let text: String

  init(_ text: String) { self.text = text }

  /// Without its last suffix, as `.scope`.
  var stem: String {
    guard let dot = text.lastIndex(of: "."), Self.suffixes.contains(String(text[dot...])) else { return text }
    return String(text[..<dot])
  }

  private static let suffixes: Set<String> = [".scope", ".service", ".slice"]

  /// What is between the two; `nil` where it does not begin and end so, or there is nothing.
  func between(_ start: String, _ end: String) -> String? {
    guard let rest = after(start), rest.hasSuffix(end), rest.utf8.count > end.utf8.count else { return nil }
    return String(rest.dropLast(end.count))
  }

  func after(_ start: String) -> String? { text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil }

  /// The ID of a Flatpak's application: `app-flatpak-ID-PID.scope`, the ID escaped (flatpak_run_in_transient_unit).
  var flatpak: String? {
    guard let middle = between("app-flatpak-", ".scope"), let dash = middle.lastIndex(of: "-") else { return nil }
    let number = middle[middle.index(after: dash)...]
    guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let id = Self.unescaped(middle[..<dash]), !id.isEmpty, id.utf8.allSatisfy(Self.isOfFlatpakID)
    else { return nil }
    return id
  }

  /// The name of a snap: `snap.NAME.APP-UUID.scope`, `snap.NAME.APP.UUID.scope` before snapd 2.61, `snap.NAME.APP.service`,
  /// and hooks, `snap.NAME.hook.HOOK…`.
  var snap: String? {
    guard text.hasSuffix(".scope") || text.hasSuffix(".service"), let rest = UnitName(stem).after("snap.") else {
      return nil
    }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    // The name, and what runs.
    guard parts.count >= 2, !parts[1].isEmpty else { return nil }
    return Self.snapName(parts[0])
  }

  /// `snap.NAME`, as the group is called that snapd freezes.
  var frozenSnap: String? { after("snap.").flatMap { Self.snapName($0[...]) } }

  /// A component's (`NAME+COMPONENT`) is the snap's.
  private static func snapName(_ text: Substring) -> String? {
    let name = text.prefix { $0 != "+" }
    return !name.isEmpty && name.utf8.allSatisfy(isOfSnapName) ? String(name) : nil
  }

  private static func isOfFlatpakID(_ byte: UInt8) -> Bool {
    isOfSnapName(byte) || 0x41...0x5A ~= byte || byte == UInt8(ascii: ".")
  }

  private static func isOfSnapName(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// `\x2d` is the byte 0x2D (systemd-escape(1)); `nil` where a backslash begins no such thing.
  static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let code = rest.prefix(3)
      guard code.count == 3, code.first == UInt8(ascii: "x"),
        let value = UInt8(String(decoding: code.dropFirst(), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
