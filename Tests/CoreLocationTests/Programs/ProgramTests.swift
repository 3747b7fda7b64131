import Foundation
import Testing

/// Programs written for Apple's systems, built like those of other packages, and run with a simulated or a recorded receiver.
@Suite struct ProgramTests {
  private func lines(of program: String, source: String = "simulator", status: Int32 = 0) async throws -> [String] {
    let run = try await BuiltPrograms.shared.run(program, source: source)
    #expect(run.status == status, "\(run.output)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func anOwnerOfAManagerReceivesIt() async throws {
    #expect(
      try await lines(of: "DelegateApp") == ["authorized, exact: true"]
        + [String](repeating: "47.285, 8.565 exact to 20 m: true main: true", count: 3) + ["stopped at true"])
  }

  @Test func aScriptAsksOnce() async throws {
    #expect(try await lines(of: "OneShot") == ["1: 47.0, 9.0"])
  }

  @Test func aScriptFailsWithoutAReceiver() async throws {
    #expect(try await lines(of: "OneShot", source: ClientRun.nothing, status: 1) == ["location unknown"])
  }

  @Test func anAsynchronousProgramIterates() async throws {
    let expected =
      [String](repeating: "later: true, near: true", count: 2) + ["first of a task: true", "cancelled: true"]
    #expect(try await lines(of: "AsyncApp") == expected)
  }

  @Test func swift5CallsMocksAndManagers() async throws {
    let lines = try await lines(of: "Swift5Client")
    #expect(lines.prefix(3) == ["replayed: unknown", "replayed: 46.9", "entered: [\"home\"]"])
    #expect(lines.dropFirst(3) == ["status true", "caller 1: true", "caller 2: true"])
  }

  @Test func swift6KeepsToTheMainActor() async throws {
    #expect(try await lines(of: "Swift6Client") == ["current: true, authorized: true", "ways: [true, true]"])
  }

  @Test func aMockTakesTheManagersPlace() async throws {
    let lines = try await lines(of: "programsPackageTests.xctest")
    #expect(lines.last?.contains("Executed 8 tests, with 0 failures (0 unexpected)") == true, "\(lines)")
  }

  @Test func aRunIsMeasured() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("run.capture")
    let programs = try await BuiltPrograms.shared
    try RecordedRun(seconds: 20).write(to: file)
    let run = try await programs.run("TrackRun", ["6"], source: "replay:\(file.path)")
    let words = try #require(
      run.output.wholeMatch(
        of:
          /(?<way>[\d.]+) m in (?<time>[\d.]+) s, (?<pace>[\d.]+) min\/km, (?<speed>[\d.]+) m\/s, course (?<course>\d+), (?<count>\d+) locations, (?<ignored>\d+) ignored\n/
      ), "\(run.output)")
    let (way, time, count) = (Double(words.way) ?? 0, Double(words.time) ?? 0, Double(words.count) ?? 0)
    #expect(time >= 6)
    #expect(abs(way / time / RecordedRun.speed - 1) < 0.03)
    #expect(abs((Double(words.pace) ?? 0) * 60 / 1000 * RecordedRun.speed - 1) < 0.03)
    #expect(abs((Double(words.speed) ?? 0) - RecordedRun.speed) < 0.3)
    #expect(abs((Double(words.course) ?? 0) - RecordedRun.course) < 5)
    // The distance filter is 2 m: each location is that far from the previous one, or farther by at most the distance of one
    // epoch.
    #expect(way / (count - 1) >= 1.9 && way / (count - 1) <= 2 + RecordedRun.speed / 5 + 0.2)
    #expect(words.ignored == "0")
  }
}
