import LocationPolicy
import Testing

@Suite struct AuthorizationDiagnosticsTests {
  struct Line {
    let authorization: Authorization
    let presence: ClientPresence
    let flags: @Sendable (inout AuthorizationDiagnostics) -> Void
  }

  static let lines: [Line] = [
    Line(authorization: .level(.notDetermined), presence: .inUse) { _ in },
    Line(authorization: .level(.notDetermined), presence: .background) { $0.insufficientlyInUse = true },
    Line(authorization: .level(.notDetermined, pending: true), presence: .inUse) {
      $0.authorizationRequestInProgress = true
    },
    Line(authorization: .level(.notDetermined, pending: true, answerable: true), presence: .background) {
      $0.authorizationRequestInProgress = true
    },
    Line(authorization: .level(.restricted), presence: .inUse) { $0.authorizationRestricted = true },
    Line(authorization: .level(.denied), presence: .inUse) { $0.authorizationDenied = true },
    Line(authorization: .off, presence: .inUse) { $0.authorizationDeniedGlobally = true },
    Line(authorization: .level(.whenInUse), presence: .inUse) { _ in },
    Line(authorization: .level(.whenInUse), presence: .background) { $0.insufficientlyInUse = true },
    Line(authorization: .level(.whenInUse, reduced: true), presence: .inUse) { $0.accuracyLimited = true },
    Line(authorization: .level(.whenInUse, pending: true), presence: .inUse) {
      $0.authorizationRequestInProgress = true
    },
    Line(authorization: .level(.whenInUse, alwaysRefused: true), presence: .inUse) {
      $0.alwaysAuthorizationDenied = true
    },
    Line(authorization: .level(.always), presence: .background) { _ in },
    Line(authorization: .level(.always, reduced: true), presence: .background) { $0.accuracyLimited = true },
  ]

  @Test(arguments: lines.indices) func line(_ index: Int) {
    let line = Self.lines[index]
    var expected = AuthorizationDiagnostics()
    line.flags(&expected)
    #expect(AuthorizationDiagnostics(line.authorization, presence: line.presence) == expected)
  }
}
