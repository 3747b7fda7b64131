import Foundation
import Testing

/// The libraries that the binary loads show that the layering is intact: the full Foundation would add several milliseconds to
/// every start.
@Suite struct LinkageTests {
  private static let hasLdd = FileManager.default.isExecutableFile(atPath: "/usr/bin/ldd")

  @Test(.enabled(if: hasLdd, "there is no ldd"))
  func loadsNoMoreOfFoundationThanItsEssentials() throws {
    let run = try ProgramRun([ProgramRun.locationctl], of: "/usr/bin/ldd")
    let libraries = run.output.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).first }
    #expect(libraries.contains("libudev.so.1"))
    #expect(libraries.filter { $0.contains("Foundation") } == ["libFoundationEssentials.so"])
  }
}
