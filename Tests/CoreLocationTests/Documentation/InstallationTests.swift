import Foundation
import TestSupport
import Testing

/// The instructions of the articles work: the packages that they install are those that a build needs, and a service that is
/// set up by the article on systemd receives locations.
@Suite struct InstallationTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: ToolRun.package.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(arguments: ["GettingStarted.md", "FromAnAppToAPi.md"])
  func theAptLineInstallsWhatTheMakefileInstalls(article: String) throws {
    let makefile = try Self.text("Makefile")
    let needed = try #require(makefile.firstMatch(of: /packages-build:\n\t@\.ci\/packages (.*)\n/)?.1)
    let page = try Self.text("Sources/CoreLocation/CoreLocation.docc/\(article)")
    let lines = page.matches(of: /apt install ([a-z0-9. -]+)/).map { $0.1.split(separator: " ") }
    #expect(lines.count == 1)
    for line in lines { #expect(Set(line) == Set(needed.split(separator: " "))) }
  }

  /// If a header is missing, a C module names the package to install: each of these packages is on the line, too.
  @Test func theAptLineHasWhatTheModulesName() throws {
    let page = try Self.text("Sources/CoreLocation/CoreLocation.docc/GettingStarted.md")
    let modules = ["CUdev/shim.h", "CSQLite/shim.h", "CSodium/shim.h", "CINI/shim.h"]
    let named = try modules.map {
      String(try #require(try Self.text("Sources/\($0)").firstMatch(of: /#error ".*: apt install ([a-z0-9-]+)/)?.1))
    }
    let line = try #require(page.firstMatch(of: /apt install ([a-z0-9. -]+)/)?.1)
    #expect(Set(named).isSubset(of: Set(line.split(separator: " ").map(String.init))), "\(named)")
  }

  /// Runs the program, the unit and the commands of the article unchanged, except for another user and another root
  /// folder.
  @Test(.enabled(if: ServicePage.isPossible, "needs root, setpriv, stdbuf, and no service's control group"))
  func thePageOfTheServiceLeadsToLocations() throws {
    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.socket)
    let page = try ServicePage(Self.text("Sources/CoreLocation/CoreLocation.docc/AsASystemdService.md"))
    try page.build()
    let verified = try page.verifyUnit()
    #expect(verified.status == 0, "\(verified.output)")
    let run = try page.runCommands(at: place)
    let lines = run.output.split(separator: "\n").map(String.init)
    // Only the output of the journal matters, not that of the other commands.
    #expect(run.status == 0 && lines.contains("authorization 0") && lines.contains("authorization 3"), "\(run.output)")
    #expect(lines.last?.hasPrefix("47.28") == true, "\(run.output)")
    withExtendedLifetime(daemon) {}
  }
}
