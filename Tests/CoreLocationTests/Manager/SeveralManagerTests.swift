import Foundation
import Testing

/// What the managers of one program share, and what each has for itself.
@Suite struct SeveralManagerTests {
  @Test func eachHasItsOwnSettingsAndAllTheSameLocations() throws {
    #expect(try ClientRun("settings").lines == ["shared true far true"])
  }

  @Test func whoStartsLaterBeginsWithWhatIsKnown() throws {
    #expect(try ClientRun("cached").lines == ["known true cached true newer true"])
  }

  @Test func theOlderFormIsToldWhatCameBefore() throws {
    #expect(try ClientRun("older").lines == ["older true true"])
  }

  /// The state folder of a service that had a fix at `time`, seconds since 1970.
  private func remembering(_ time: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let fix = "fix time=\(time)000000000 validity=2 latitude=47.5 longitude=8.5 radius68=4 kind=2 technologies=1\n"
    try Data(fix.utf8).write(to: folder.url.appendingPathComponent("memory"))
    return folder
  }

  private static let nowhere = "serial:/dev/no-such-receiver"

  @Test func updatesBeginWithTheFixOfAnEarlierRunUnderItsTrueTime() throws {
    let time = Int(Date().timeIntervalSince1970) - 3600
    let folder = try remembering(time)
    let run = try ClientRun("remembered", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["remembered 47.5 \(time)", "grown true property true"])
  }

  /// From the future, or asked for by a request for one location: unknown alone is told.
  @Test(arguments: [("updates", 3600), ("request", -60)])
  func whatIsRememberedIsNotAlwaysTold(form: String, seconds: Int) throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) + seconds)
    let run = try ClientRun(form, source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }
}
