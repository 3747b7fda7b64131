import Foundation
import Testing

/// Commands about places have no network: without a daemon they answer alike, and the only socket is that of the service.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "needs strace"))
struct PlacesNetworkTests {
  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PlacesTests/Cut").path

  @Test(arguments: [
    ["places", "at", "47.1393,9.5228", "--json"], ["places", "find", "Vaduz", "--json"],
    ["places", "find", "--complete", "Vad", "--json"], ["places", "list", "--json"],
    ["timezone", "47.1393,9.5228", "--json"],
  ])
  func theOnlySocketIsThatOfTheService(arguments: [String]) throws {
    let home = NSTemporaryDirectory() + "places-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    let environment = [
      "LOCATIOND_WORLD": Self.world, "XDG_DATA_HOME": home, "LOCATIOND_PLACES_FOLDER": home + "/none",
      "LOCATIOND_SOCKET": home + "/socket",
    ]
    let trace = home + "/trace"
    let open = try ProgramRun(
      ["-f", "-qq", "-e", "trace=socket,connect,sendto,sendmsg", "-o", trace, ProgramRun.locationctl] + arguments,
      of: "/usr/bin/strace", environment: environment)
    #expect(open.status == 0, "\(open)")
    let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let foreign = calls.filter { line in
      (line.contains("socket(") && !line.contains("AF_UNIX"))
        || (line.contains("connect(") && !line.contains("\"\(home)/socket\"")) || line.contains("sendto(")
        || line.contains("sendmsg(")
    }
    #expect(foreign.isEmpty, "\(foreign)")

    let namespace = try ProgramRun(
      [geteuid() == 0 ? "-n" : "-rn", ProgramRun.locationctl] + arguments, of: "/usr/bin/unshare",
      environment: environment)
    // A container may forbid the namespace.
    if namespace.errors.contains("unshare") { return }
    #expect(namespace.status == 0 && namespace.output == open.output, "\(namespace)")
  }
}
