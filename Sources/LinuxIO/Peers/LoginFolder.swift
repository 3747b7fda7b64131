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
