import Foundation
import TestSupport
import Testing

/// The module without the trait `Embedded`: only a client of `locationd`. It is built only for this test.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["LOCATION_PEERS"] == "1",
    "builds CoreLocation once more: make client-module"))
struct ClientModuleTests {
  /// Built with headers of the host's libraries that are errors, because none is needed. If no `locationd` answers, every kind of
  /// request reports that at once; if one does, the program receives locations.
  @Test func itNeedsNoDevelopmentPackageAndIsServedByTheDaemonOrSaysThatNoOneAnswers() throws {
    let folder = try TemporaryFolder()
    for header in DependentProgram.hostHeaders {
      try Data("#error \"\(header) is not needed here\"\n".utf8).write(to: folder.url.appendingPathComponent(header))
    }
    // One fixed path in every run, so that nothing is rebuilt because of it.
    let headers = ToolRun.package.appendingPathComponent(".build-client/no-headers")
    try FileManager.default.createDirectory(
      at: headers.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: headers)
    try FileManager.default.copyItem(at: folder.url, to: headers)
    let module = try BuiltModule(
      scratch: ".build-client", options: ["--disable-default-traits", "-Xcc", "-I\(headers.path)"])
    let library = try LinkedObject(module.library)
    let host = ["libudev", "libgps", "libnl", "libsqlite3", "libsodium", "libinih"]
    #expect(library.needed.filter { name in host.contains { name.hasPrefix($0) } } == [])
    #expect(library.needed.contains("libFoundation.so"))
    let run = try module.run(try module.build("nowhere", into: folder))
    #expect(run.output == "request true true\nupdates true true\nlive true\n" && run.status == 0, "\(run.output)")

    let place = try RunningDaemon.Place()
    let daemon = try RunningDaemon.listening(at: place)
    let served = try module.run(try module.build("here", into: folder), socket: place.socket)
    #expect(served.output == "here 1 true\n" && served.status == 0, "\(served.output)")
    daemon.send(SIGTERM)
    #expect(daemon.rest().contains { $0.contains("Client here") && $0.hasSuffix(" connected.") })
  }
}
