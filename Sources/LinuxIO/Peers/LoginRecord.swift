/// A session's or a user's file of logind or elogind: lines `KEY=value`, comments after `#`. libsystemd reads the same
/// files (sd_session_get_state(3), sd_uid_get_state(3)).
package struct LoginRecord: Hashable, Sendable {
  /// `online`, `active`, `closing`; for a user also `lingering` and `offline`.
  package let state: String?
  /// For a session: `user`, `greeter`, `lock-screen`, `background`, `manager`, and variants of them.
  package let kind: String?

  package init(_ bytes: [UInt8]) {
    var values: [String: String] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(256) {
      for key in ["STATE", "CLASS"] where line.starts(with: "\(key)=".utf8) && values[key] == nil {
        values[key] = String(decoding: line.dropFirst(key.utf8.count + 1).prefix(64), as: UTF8.self)
      }
    }
    state = values["STATE"]
    kind = values["CLASS"]
  }

  /// Whether a user is logged in.
  package var isOnline: Bool { state == "online" || state == "active" }

  /// Whether this is a person's session: `user`, or its variants since systemd 256 and 258. Sessions of a greeter, a
  /// lock screen or cron are not, and neither is a session that is not complete yet (`user-incomplete`).
  package var isOfPerson: Bool {
    switch kind {
    case "user", "user-early", "user-light", "user-early-light": true
    default: false
    }
  }
}

/// The state of a login.
package enum LoginState: Hashable, Sendable {
  /// Neither logind nor elogind runs on this system.
  case unavailable
  /// The login does not exist, or has ended.
  case gone
  case known(LoginRecord)
}

/// The logins of this system.
package struct LoginFolder: Hashable, Sendable {
  /// Maximum file size in bytes; logind's files are smaller.
  private static let maximumSize = 64 * 1024

  private let folder: String

  /// - Parameter path: `/run/systemd`.
  package init(_ path: String) { folder = path }

  /// The folders of the session and user files, which can be watched.
  package var sessions: String { folder + "/sessions" }
  package var users: String { folder + "/users" }

  /// - Parameter id: letters and digits, as validated by `ControlGroup`.
  package func session(_ id: String) -> LoginState { state("\(sessions)/\(id)", in: sessions) }

  package func user(_ number: UInt32) -> LoginState { state("\(users)/\(number)", in: users) }

  private func state(_ path: String, in folder: String) -> LoginState {
    if let bytes = try? StateFile.read(path, maximumSize: Self.maximumSize) { return .known(LoginRecord(bytes)) }
    return (try? FileStatus.of(folder)) == nil ? .unavailable : .gone
  }
}
