import Foundation
import Testing

/// The module as installed by `make module`: programs of one file build with nothing else, and run.
@Suite struct ModuleTests {
  private let module: BuiltModule
  private let folder: TemporaryFolder

  init() throws {
    module = try BuiltModule.hosting()
    folder = try TemporaryFolder()
  }

  @Test func theFolderHasOneModuleAndItsHeaders() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: module.folder.path)
    #expect(
      files.filter { !$0.hasSuffix(".h") }.sorted() == [
        "CoreLocation.swiftdoc", "CoreLocation.swiftmodule", "libCoreLocation.so", "module.modulemap",
      ])
    #expect(files.contains("CCoreLocation.h"))
    let home = Data((ToolRun.package.path + "/").utf8)
    for file in files {
      let content = try Data(contentsOf: module.folder.appendingPathComponent(file))
      #expect(content.range(of: home) == nil, "\(file) names where it was built")
    }
  }

  @Test(arguments: ["5", "6"]) func aProgramOfOneFileIsBuiltAndRun(mode: String) throws {
    let run = try module.run(try module.build("here", into: folder, ["-swift-version", mode]))
    #expect(run.output == "here 1 true\n" && run.status == 0)
  }

  /// The library is found through the program's own run path, as in an installed program.
  @Test func theLibraryIsFoundBesideTheProgram() throws {
    let program = try module.build("here", into: folder, ["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN"])
    try FileManager.default.copyItem(at: module.library, to: folder.url.appendingPathComponent("libCoreLocation.so"))
    let found = try ToolRun(["ldd", program.path])
    #expect(found.output.contains("libCoreLocation.so => \(folder.url.path)/libCoreLocation.so"), "\(found.output)")
    let run = try ToolRun(BuiltModule.environment + ["timeout", "60", program.path])
    #expect(run.output == "here 1 true\n" && run.status == 0)
  }

  /// The module names its library itself, also for the interpreter, which searches for the library in `-L` or in the loader's
  /// folders.
  @Test(arguments: [true, false]) func aScriptIsRunWithoutBeingBuilt(isDelivered: Bool) throws {
    let folder = module.folder.path
    let run = try ToolRun(
      BuiltModule.environment + (isDelivered ? [] : ["LD_LIBRARY_PATH=\(folder)"])
        + ["timeout", "120", "swift", "-I", folder] + (isDelivered ? ["-L", folder] : []) + [BuiltModule.script("here")]
    )
    #expect(run.output == "here 1 true\n" && run.status == 0)
  }

  @Test func theEnumerationsAreHadAlone() throws {
    let run = try module.run(try module.build("enumerations", into: folder))
    #expect(run.output == "[\"no\", \"yes\", \"unknown\"] 0.0\n" && run.status == 0)
  }

  /// The program ends with a message, as the documentation states, and not only with a signal, also in an optimized build.
  @Test func aSecondMonitorOfANameEndsTheProgramWithAWord() throws {
    let run = try module.run(try module.build("twice", into: folder, ["-parse-as-library"]))
    #expect(run.status != 0 && run.output.contains("Monitor named home is already in use"), "\(run.output)")
  }

  /// The library's internal modules do not conflict with a module of the same name in the program.
  @Test func aProgramMayHaveTheNamesOfOurInnerModules() throws {
    let run = try module.run(try module.build("own-names", into: folder, ["-module-name", "Geodesy"]))
    #expect(run.output == "here true\nPositionFix of my own [\"of my own\"]\n" && run.status == 0)
    let library = try LinkedObject(module.library)
    #expect(library.exported.count > 1000)
    #expect(library.exported.filter { !$0.contains("12CoreLocation") } == [])
  }

  /// Only building the module needs the headers and link names of -dev packages; building with the module does not.
  @Test func aProgramNeedsTheLibraryAndTheLibraryNoDevelopmentPackage() throws {
    let program = try LinkedObject(try module.build("here", into: folder))
    #expect(program.needed.contains("libCoreLocation.so"))
    #expect(program.needed.filter { $0.hasPrefix("libudev") || $0.hasPrefix("libgps") } == [])

    let library = try LinkedObject(module.library)
    #expect(library.runPath.contains("$ORIGIN"))
    #expect(!library.runPath.contains { $0.hasPrefix(ToolRun.package.path) })
    let runtime = library.runPath.filter { $0.hasPrefix("/") }
    // Libraries that do not belong to the compiler are named with their version, as they are installed everywhere.
    let others = library.needed.filter { name in
      !runtime.contains { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
    }
    #expect(others.allSatisfy { $0.contains(/\.so\.[0-9]+$/) }, "\(others)")
    let known = [
      "libc", "libm", "ld-linux", "libudev", "libgps", "libnl-3", "libnl-genl-3", "libsqlite3", "libsodium", "libinih",
    ]
    #expect(others.filter { name in !known.contains { name.hasPrefix($0) } } == [])
  }
}
