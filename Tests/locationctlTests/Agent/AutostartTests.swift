import Foundation
import Testing

/// The autostart entry that a desktop starts with the session.
@Suite struct AutostartTests {
  private static let file = "Sources/locationd/Packaging/locationctl-agent.desktop"
  private static let validator = "/usr/bin/desktop-file-validate"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: validator),
      "needs desktop-file-validate: apt-get install desktop-file-utils"))
  func theFileIsValid() throws {
    let run = try ProgramRun([Self.file], of: Self.validator)
    #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.output)\(run.errors)")
  }
}
