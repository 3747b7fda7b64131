import LinuxIO
import LocationPolicy
import LocationStore

/// The file of an owner's key: one line with the key, and comment lines for people, which begin with `#`.
enum KeyFile {
  /// Maximum size, bytes; larger files are not key files.
  private static let maximumSize = 65_536

  /// The content of the file of a new key: the comment lines and the key.
  static func text(of key: OwnerKey) -> [UInt8] {
    Array(
      """
      # The secret key of encrypted logs (locationctl log). With it, anybody can read every log that is encrypted for
      #   \(key.publicKey.text)
      # Without it, nobody can. Keep it away from the machine that records, and keep a copy elsewhere.
      \(key.text)

      """.utf8)
  }

  /// The words of a file, without its comment lines; `-` is standard input.
  static func words(of path: String, remedy: String) throws(FailureMessage) -> [String] {
    let bytes: [UInt8]
    do throws(InputFileError) {
      bytes = try read(path)
    } catch {
      throw FailureMessage(error, path: path, remedy: remedy)
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
      .flatMap { $0.split(whereSeparator: \.isWhitespace).map { String($0) } }
  }

  private static func read(_ path: String) throws(InputFileError) -> [UInt8] {
    guard path == "-" else { return try ReplaceableFile(path: path, maximumSize: maximumSize).bytes }
    do throws(SystemError) {
      return try StandardInput.read(maximumSize: maximumSize)
    } catch {
      throw .system(error)
    }
  }
}
