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
