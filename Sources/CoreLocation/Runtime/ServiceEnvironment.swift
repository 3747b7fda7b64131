import Foundation

/// What the environment says of the service, as for the command line.
enum ServiceEnvironment {
  /// A variable's text; `nil` where it is unset or empty.
  static func text(_ name: String) -> String? {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
    return text
  }

  /// What a variable says; `nil` where it says nothing, and also where nothing can be made of it, with a word on stderr:
  /// `NAME COMPLAINT`.
  static func value<Value>(_ name: String, else complaint: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = parse(text) else {
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(name) \(complaint)\n".utf8))
      return nil
    }
    return value
  }
}
