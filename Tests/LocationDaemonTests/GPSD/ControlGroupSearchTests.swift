import Foundation
import Geodesy
import LinuxIO
import LocationdHost
import TestSupport
import Testing

/// How often the control groups of programs at TCP ports are searched for.
@Suite struct ControlGroupSearchTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("groups-\(UUID().uuidString)")
  private let start = Instant(nanoseconds: 0)

  private func searches(_ body: (inout ControlGroupSearches) -> Void) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("cgroup.controllers"))
    try Data("bo:x:1000:1000::/:/bin/sh\n".utf8).write(to: folder.appendingPathComponent("passwd"))
    try Data("bo:100000:65536\n".utf8).write(to: folder.appendingPathComponent("subuid"))
    var searches = ControlGroupSearches(
      ControlGroupFolders(roots: [folder.path]), accounts: AccountFiles(folder.path))
    body(&searches)
  }

  /// One user exhausts only one budget, and it fills again. What was found once costs nothing.
  @Test func eachUserHasABudget() throws {
    try searches { searches in
      for number in 1...ControlGroupSearches.burst as ClosedRange<Int> {
        #expect(searches.group(.max - UInt64(number), of: 1000, at: start) != nil)
      }
      #expect(searches.group(1, of: 1000, at: start) == nil)
      #expect(searches.group(.max - 1, of: 1000, at: start) != nil)
      #expect(searches.group(1, of: 1001, at: start) != nil)
      let later = start + ControlGroupSearches.period
      #expect(searches.group(1, of: 1000, at: later) != nil && searches.group(2, of: 1000, at: later) == nil)
    }
  }

  /// The user IDs that a user has for containers have no budget of their own.
  @Test func subordinateUsersShareTheBudget() throws {
    try searches { searches in
      for number in 0..<UInt32(ControlGroupSearches.burst) {
        #expect(searches.group(.max - UInt64(number), of: 100_000 + number, at: start) != nil)
      }
      #expect(searches.group(1, of: 100_100, at: start) == nil && searches.group(1, of: 1000, at: start) == nil)
      #expect(searches.group(1, of: 1001, at: start) != nil)
    }
  }
}
