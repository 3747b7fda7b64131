import Glibc
import LinuxIO
import Testing
import TestSupport

/// A process ID that the kernel gives to another process while the first one's connection is open: in a PID namespace, where the
/// next process ID can be chosen.
@Suite struct NumberReuseTests {
  /// Whether such a namespace can be created here.
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
      "peer-bed", ["apart", "reuse", folder.path + "/socket", "\(Self.tries)"], environment: [:],
      patienceMilliseconds: 1_200_000)
    let line = try #require(bed.next().map { String(decoding: $0, as: UTF8.self) })
    // Two thirds were identified while they lived; each process ID was given to another process; for each of them, the end was
    // reported.
    #expect(
      line
        == "tries \(Self.tries) known \(Self.tries / 3 * 2 + Self.tries % 3) reused \(Self.tries) taken 0 ended \(Self.tries)"
    )
  }
}
