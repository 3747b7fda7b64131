internal import CMapShare
import Glibc
package import LinuxIO

/// The certificate with which the map is shared in the local network. It is made once, so that a device that has accepted it sees at once if
/// another machine takes this one's place.
package struct ShareCertificate: Sendable {
  /// PEM.
  package let certificate, key: String
  /// SHA-256, as browsers show it: `AB:CD:…`.
  package let fingerprint: String

  private static let room = 8192
  private static let mostSize = 64 << 10
  /// A certificate that expires within a day is made again, seconds.
  private static let margin: Int64 = 86_400

  /// The folder of this user's certificate (XDG Base Directory Specification, `XDG_DATA_HOME`); `nil` if neither it nor `HOME` is set.
  package static func folder() -> String? {
    Directories.userData(environment: ProcessEnvironment.value).map { $0 + "/map" }
  }

  /// Reads the certificate in a folder, or makes it.
  ///
  /// - Parameter now: seconds since 1970.
  package static func inFolder(_ folder: String, now: Int64) throws(SystemError) -> ShareCertificate {
    let (path, keyPath) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
    if let certificate = text(path), let key = text(keyPath), let known = ShareCertificate(certificate, key, now: now) {
      return known
    }
    var (certificate, key) = ([CChar](repeating: 0, count: room), [CChar](repeating: 0, count: room))
    let status = unsafe cmapshare_make_certificate(HostNames.own, &certificate, room, &key, room)
    guard status == 0,
      let made = ShareCertificate(CText.string(certificate), CText.string(key), now: now)
    else { throw SystemError(operation: "make a certificate", errno: EIO) }
    try PrivateFolder.make(folder)
    for (name, text) in [(keyPath, made.key), (path, made.certificate)] {
      var file = try NewFile(path: name, replacing: true, mode: 0o600)
      try file.append(Array(text.utf8))
      try file.finish()
    }
    return made
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? InputFile.content(of: path, maximumSize: mostSize), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// `nil` if they are no valid pair, or expire soon.
  private init?(_ certificate: String, _ key: String, now: Int64) {
    var bytes = [UInt8](repeating: 0, count: 32)
    var expires: Int64 = 0
    guard unsafe cmapshare_check_certificate(certificate, key, &bytes, &expires) == 0, expires > now + Self.margin
    else {
      return nil
    }
    (self.certificate, self.key) = (certificate, key)
    fingerprint = bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }
}

/// The names under which other devices reach this machine.
package enum HostNames {
  private static let most = 32
  /// INET6_ADDRSTRLEN
  private static let size = 46

  /// Its addresses as in a URL (`192.168.1.5`, `[fd00::5]`), those of IPv4 first; without loopback.
  package static var addresses: [String] {
    var texts = [CChar](repeating: 0, count: most * size)
    let count = Int(unsafe cmapshare_addresses(&texts, Int32(most)))
    return (0..<count).map { index in
      let text = CText.string(texts[(index * size)..<((index + 1) * size)])
      return text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text
    }
  }

  /// The name of this machine, without a domain.
  package static var own: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe cmapshare_host_name(&name, name.count) == 0 else { return "localhost" }
    let text = CText.string(name)
    let label = text.lowercased().prefix { $0 != "." }
    let isValid = label.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    return isValid && !label.isEmpty ? String(label) : "localhost"
  }

  /// All names, as the header `Host` has them, without the port; `.local` is that of multicast DNS (RFC 6762).
  package static var all: [String] { addresses + [own, "\(own).local", "127.0.0.1", "localhost", "[::1]"] }
}

/// Texts of C.
private enum CText {
  /// The bytes before the first zero byte.
  static func string(_ buffer: some Collection<CChar>) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A QR code on a terminal.
package enum QRCode {
  /// Lines of half blocks, dark on white, with the quiet zone of four modules (ISO/IEC 18004, section 5.3.8); `nil` if the text is too long.
  package static func text(_ content: String) -> String? {
    var modules = [UInt8](repeating: 0, count: 177 * 177)
    let rows = Int(unsafe cmapshare_qr_code(content, &modules, modules.count))
    guard rows > 0 else { return nil }
    func isDark(_ x: Int, _ y: Int) -> Bool {
      (0..<rows).contains(x) && (0..<rows).contains(y) && modules[y * rows + x] == 1
    }
    var text = ""
    for y in stride(from: -4, to: rows + 4, by: 2) {
      // SGR: black on bright white, whatever the terminal's own colors are.
      text += "\u{1B}[30;107m"
      for x in -4..<(rows + 4) {
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): text += "█"
        case (true, false): text += "▀"
        case (false, true): text += "▄"
        case (false, false): text += " "
        }
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }
}
