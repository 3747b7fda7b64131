import Foundation
import Testing

/// Third-party programs that do not know this package: built as packages in Swift 5 and 6 mode with the module that `make
/// module` built, without a warning, and run.
@Suite struct ClientTests {
  @Test func buildAndRun() throws {
    let folder = try TemporaryFolder()
    let package = folder.url.appendingPathComponent("clients")
    try FileManager.default.copyItem(
      at: ToolRun.package.appendingPathComponent("Tests/Clients"), to: package)
    let built = try BuiltModule.hosting()
    // The module's folder exists only as long as this value.
    defer { withExtendedLifetime(built) {} }
    let module = built.folder.path
    let build = try ToolRun(
      ["swift", "build", "--package-path", package.path]
        + ["-I", module, "-warnings-as-errors"].flatMap { ["-Xswiftc", $0] }
        + ["-L", module, "-lCoreLocation", "-rpath", module].flatMap { ["-Xlinker", $0] })
    try #require(build.status == 0, "\(build.output)")
    func run(_ name: String) throws -> [String] {
      let program = package.appendingPathComponent(".build/debug/\(name)").path
      let run = try ToolRun([
        "LOCATIOND_SOURCE=serial:/dev/no-such-receiver", "LOCATIOND_STATE=/proc/nowhere", "LANG=en_US.UTF-8",
        "TZ=America/Los_Angeles", program,
      ])
      #expect(run.status == 0, "\(run.output)")
      return run.output.split(separator: "\n").map(String.init)
    }
    let (modern, legacy, script) = (try run("Modern"), try run("Legacy"), try run("Script"))
    #expect(
      modern == [
        "located [46.95]", "failed true", "no network", "unavailable", "monitor home true true", "session false",
        "places 1 true",
      ])
    #expect(
      legacy == [
        "tracked true 2.0",
        "<+37.33000000,-122.03000000> +/- 5.00m (speed -1.00 mps / course -1.00) @ 2/3/24, 1:02:03\u{202F}PM Pacific Standard Time",
        "inside 2.0", "same true 0.0", "archived 37.33 0.0", "geocoded 0 true true", "count 1",
      ])
    #expect(script == ["84134.73 1 36"])
  }
}
