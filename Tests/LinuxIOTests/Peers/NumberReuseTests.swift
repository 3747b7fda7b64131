import Glibc
import LinuxIO
import Testing
import TestSupport

/// A process's number that is given to another while its connection is open: by the kernel, in a namespace of processes where the
/// next number can be chosen.
@Suite struct NumberReuseTests {
  /// Whether such a namespace can be had here.
  static let isPossible: Bool = {
    guard geteuid() == 0, let child = try? Child(["/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "/bin/true"])
    else { return false }
    return child.succeeds()
  }()

  private static let tries = ProcessEnvironment.value("LOCATION_SOAK") == "1" ? 10_000 : 300

  @Test(.enabled(if: isPossible, "only root can choose a process's number, in a namespace of its own"))
  func aReusedNumberIdentifiesNoClient() throws {
    let folder = try TemporaryFolder()
    let bed = try HelperProcess(
      "peer-bed", ["apart", "reuse", folder.path + "/socket", "\(Self.tries)"], environment: [:])
    let line = try #require(bed.next().map { String(decoding: $0, as: UTF8.self) })
    // Two thirds were known while they lived; each number came to be another's; each of them was told to have ended.
    #expect(
      line
        == "tries \(Self.tries) known \(Self.tries / 3 * 2 + Self.tries % 3) reused \(Self.tries) taken 0 ended \(Self.tries)"
    )
  }
}
