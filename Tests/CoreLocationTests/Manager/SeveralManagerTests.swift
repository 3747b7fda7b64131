import Foundation
import Testing

/// What the managers of one program share, and what each has for itself.
@Suite struct SeveralManagerTests {
  @Test func eachHasItsOwnSettingsAndAllTheSameLocations() throws {
    #expect(try ClientRun("settings").lines == ["shared true far true"])
  }

  @Test func lateSubscribersStartWithTheKnownState() throws {
    #expect(try ClientRun("cached").lines == ["known true cached true newer true"])
  }

  @Test func theOlderFormIsReportedWhatCameBefore() throws {
    #expect(try ClientRun("older").lines == ["older true true"])
  }

  /// The state folder of a service that had a fix at `time`, seconds since 1970.
  ///
  /// - Parameter origin: the receiver that reported the fix, as the file names it. Version 0.1.0 stored only the
  ///   device.
  private func remembering(_ time: Int, origin: String = Self.device) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let fix =
      "fix time=\(time)000000000 validity=2 latitude=47.5 longitude=8.5 radius68=4 kind=2 technologies=1 \(origin)\n"
    try Data(fix.utf8).write(to: folder.url.appendingPathComponent("memory"))
    return folder
  }

  private static let nowhere = "serial:/dev/no-such-receiver"
  private static let device = "device=/dev/no-such-receiver"

  @Test(arguments: [Self.device, "\(Self.device) source=auto tracked=1", "source=\(Self.nowhere)"])
  func updatesBeginWithTheFixOfAnEarlierRunUnderItsTrueTime(origin: String) throws {
    let time = Int(Date().timeIntervalSince1970) - 3600
    let folder = try remembering(time, origin: origin)
    let run = try ClientRun("remembered", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["remembered 47.5 \(time)", "grown true property true"])
  }

  /// A named source does not report a remembered fix of another source, nor one whose source is unknown.
  @Test(arguments: ["device=/dev/another-receiver", "source=gpsd:localhost:2947", ""])
  func fixesOfAnotherSourceAreNotReported(origin: String) throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) - 3600, origin: origin)
    let run = try ClientRun("updates", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }

  /// A remembered fix from the future is ignored: the only report is "location unknown".
  @Test func rememberedFixesOfTheFutureAreIgnored() throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) + 3600)
    let run = try ClientRun("updates", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }

  /// A request for one location waits one minute for a receiver; a remembered fix does not answer it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"))
  func rememberedFixesAnswerNoRequest() throws {
    let folder = try remembering(Int(Date().timeIntervalSince1970) - 60)
    let run = try ClientRun("request", source: Self.nowhere, state: folder.url.path)
    #expect(run.lines == ["authorization 3", "unknown"])
  }
}
