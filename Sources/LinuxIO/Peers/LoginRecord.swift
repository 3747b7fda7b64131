/// What logind or elogind wrote of a session or a user: lines `KEY=value`, `#` before remarks. libsystemd reads the same files
/// (sd_session_get_state(3), sd_uid_get_state(3)).
package struct LoginRecord: Hashable, Sendable {
  /// `online`, `active`, `closing`; of a user also `lingering` and `offline`.
  package let state: String?
  /// Of a session: `user`, `greeter`, `lock-screen`, `background`, `manager`, and kinds of them.
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

  /// Whether somebody is logged in.
  package var isOnline: Bool { state == "online" || state == "active" }

  /// Whether it is a person's session: `user`, and what systemd 256 and 258 made of it. Not a greeter's, a lock screen's, one of
  /// cron, nor one that is still to become one (`user-incomplete`).
  package var isOfPerson: Bool {
    switch kind {
    case "user", "user-early", "user-light", "user-early-light": true
    default: false
    }
  }
}

/// What is known of a login.
package enum LoginState: Hashable, Sendable {
  /// No logind, nor elogind, runs on this machine.
  case untold
  /// There is none of that name, or no more.
  case gone
  case known(LoginRecord)
}

/// The logins of this machine.
package struct LoginFolder: Hashable, Sendable {
  /// Larger ones are not logind's.
  private static let maximumSize = 64 * 1024

  private let folder: String

  /// - Parameter path: `/run/systemd`.
  package init(_ path: String) { folder = path }

  /// Where sessions and users are written; to be watched.
  package var sessions: String { folder + "/sessions" }
  package var users: String { folder + "/users" }

  /// - Parameter id: letters and digits, as `ControlGroup` lets pass.
  package func session(_ id: String) -> LoginState { state("\(sessions)/\(id)", in: sessions) }

  package func user(_ number: UInt32) -> LoginState { state("\(users)/\(number)", in: users) }

  private func state(_ path: String, in folder: String) -> LoginState {
    if let bytes = try? StateFile.read(path, maximumSize: Self.maximumSize) { return .known(LoginRecord(bytes)) }
    return (try? FileStatus.of(folder)) == nil ? .untold : .gone
  }
}
