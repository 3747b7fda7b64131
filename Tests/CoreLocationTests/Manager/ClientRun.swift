import Foundation
import Testing

/// One run of a program written for Apple's framework, to its end; it keeps nothing from other runs.
struct ClientRun {
  let lines: [String]

  /// A source that ends before it reports a fix, so that requests end at once; otherwise they would wait for a
  /// receiver.
  static let nothing = "replay:/dev/null"

  init(
    _ form: String, of program: String = "location-client", source: String = "simulator",
    state: String = "/proc/nowhere",
    as user: [String] = [], environment: [String: String] = [:]
  ) throws {
    let path = ToolRun.products.appendingPathComponent(program).path
    let run = try ToolRun(
      ["LOCATIOND_SOURCE=\(source)", "LOCATIOND_GPSD=off", "LOCATIOND_STATE=\(state)"]
        + environment.map { "\($0.key)=\($0.value)" } + user + ["timeout", "-k", "1", "120", path, form])
    #expect(run.status == 0, "\(run.output)")
    lines = run.output.split(separator: "\n").map(String.init)
  }
}
