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

  /// From the future: unknown alone is told.
  @Test func whatIsRememberedOfTheFutureIsNotTold() throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) + 3600)
    let run = try ClientRun("updates", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }

  /// A request for one location waits its minute for a receiver rather than to be answered from memory.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"))
  func whatIsRememberedAnswersNoRequest() throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) - 60)
    let run = try ClientRun("request", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }
}
