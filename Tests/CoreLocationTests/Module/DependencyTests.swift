import Foundation
import Testing

/// The effects of a dependency on this package for a program.
@Suite struct DependencyTests {
  /// Nothing else is fetched, there is no warning, and the program's own targets may have any of these names.
  @Test(arguments: DependentProgram.Traits.allCases)
  func theLibraryComesAlone(traits: DependentProgram.Traits) throws {
    let program = try DependentProgram(traits, running: "here")
    let resolution = try program.resolve()
    #expect(resolution.status == 0 && !resolution.output.contains("warning: "), "\(resolution.output)")
    let dependencies = try program.dependencies()
    #expect(dependencies.output == "swift-corelocation\n" && dependencies.status == 0, "\(dependencies.output)")
  }

  /// Shows that the test above would detect a target of this package whose name the program uses, too.
  @Test func aNameThatBothUseIsAnError() throws {
    let run = try DependentProgram(.byDefault, running: "here", with: ["LocationIPC"]).dependencies()
    #expect(run.status != 0 && run.output.contains("conflicting name: 'LocationIPC"), "\(run.output)")
  }

  @Test(.enabled(if: buildsPrograms, why))
  func withoutTraitsNoDevelopmentPackageIsNeeded() throws {
    let program = try DependentProgram(.none, running: "nowhere")
    let build = try program.build(without: DependentProgram.hostHeaders)
    #expect(build.status == 0 && !build.output.contains("warning: "), "\(build.output)")
    let run = try program.run()
    #expect(run.output == "request true true\nupdates true true\nlive true\n" && run.status == 0, "\(run.output)")
  }

  @Test(.enabled(if: buildsPrograms, why))
  func withTheDefaultTraitsTheProgramHostsTheService() throws {
    let program = try DependentProgram(.byDefault, running: "here")
    let build = try program.build()
    #expect(build.status == 0 && !build.output.contains("warning: "), "\(build.output)")
    let run = try program.run()
    #expect(run.output == "here 1 true\n" && run.status == 0, "\(run.output)")
  }

  /// The module of libnl declares the functions that it uses; a declaration that differs from libnl's own is an error.
  @Test func netlinkIsDeclaredAsItsHeadersDeclareIt() throws {
    let headers = ["socket.h", "netlink.h", "genl/genl.h"].flatMap { ["-include", "netlink/\($0)"] }
    let shim = ToolRun.package.appendingPathComponent("Sources/CNetlink/shim.h").path
    let run = try ToolRun(["clang", "-fsyntax-only", "-I/usr/include/libnl3"] + headers + ["-x", "c", shim])
    #expect(run.status == 0, "\(run.output)")
  }

  private static let buildsPrograms = ProcessInfo.processInfo.environment["LOCATION_PEERS"] == "1"
  private static let why: Comment = "compiles CoreLocation for each program: make dependency"
}
