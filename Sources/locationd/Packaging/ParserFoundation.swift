// In place of swift-argument-parser's Utilities/Foundation.swift in the programs of a release (.ci/release-flags): with the
// original, the linker adds FoundationEssentials, a fifth of a program that does not use it otherwise.

extension Error {
  /// The text of an error that is not one of the parser's own.
  func describe() -> String { String(describing: self) }
}

/// Encodes the list of commands for `--experimental-dump-help`, an option of the parser for its own plug-ins.
enum JSONEncoder {
  static func encode<T: Encodable>(_ value: T) -> String {
    "A release does not list its commands in this form: see 'locationctl --help'."
  }
}
