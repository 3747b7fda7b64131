import Foundation
import LinuxDevices
import Testing

@Suite struct PortHolderFinderTests {
  private let fixture: FixtureTree

  init() throws { fixture = try FixtureTree() }

  private func process(_ pid: Int, _ name: String, arguments: [String] = [], open: [String] = []) throws {
    try fixture.file("/proc/\(pid)/comm", name + "\n")
    try fixture.file("/proc/\(pid)/cmdline", arguments.map { $0 + "\0" }.joined())
    try fixture.folder("/proc/\(pid)/fd")
    for (number, target) in open.enumerated() { try fixture.link("/proc/\(pid)/fd/\(number)", to: target) }
  }

  private func holder(of path: String = "/dev/ttyACM0", own: Int32 = 1) -> SerialPortHolder {
    PortHolderFinder(tree: fixture.tree, ownProcess: own).holder(of: path)
  }

  @Test func theProcessThatHasItOpenIsNamed() throws {
    try process(7, "bash", open: ["/dev/pts/0", "socket:[17]"])
    try process(42, "minicom", open: ["/dev/pts/1", "/dev/ttyACM0"])
    try process(43, "gpsd")
    #expect(holder() == .process(pid: 42, name: "minicom"))
    #expect(holder(of: "/dev/ttyACM1") == .likely(service: "gpsd"))
    // A port that this process itself has open is not an answer.
    #expect(holder(own: 42) == .likely(service: "gpsd"))
  }

  /// The real /proc of the real kernel, asked about another name of the file.
  @Test func aLinkIsFollowedToWhatIsOpen() throws {
    try fixture.file("/port", "")
    try fixture.link("/gps", to: "port")
    let descriptor = unsafe open(fixture.root + "/port", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    guard case .process(let pid, let name) = PortHolderFinder(ownProcess: 0).holder(of: fixture.root + "/gps") else {
      Issue.record("not found")
      return
    }
    #expect(pid == getpid())
    #expect(!name.isEmpty)
  }

  @Test func modemManagerIsKnownByItsName() throws {
    try process(9, "ModemManager")
    #expect(holder() == .likely(service: "ModemManager"))
  }

  @Test func aSocketThatSystemdMadeIsNoSignOfGpsd() throws {
    try fixture.file("/run/gpsd.sock", "")
    #expect(holder() == .unknown)
  }

  @Test(arguments: ["console=ttyAMA0,115200 console=tty1 root=/dev/mmcblk0p2\n", "quiet console=ttyAMA0"])
  func theKernelsConsoleIsNamed(commandLine: String) throws {
    try fixture.file("/proc/cmdline", commandLine)
    try process(43, "gpsd")
    #expect(holder(of: "/dev/ttyAMA0") == .console(tty: "ttyAMA0"))
    #expect(holder(of: "/dev/ttyAMA1") == .likely(service: "gpsd"))
    #expect(holder(of: "/dev/ttyAMA") == .likely(service: "gpsd"))
  }

  @Test func theActiveConsoleIsNamed() throws {
    try fixture.file("/sys/class/tty/console/active", "tty0 ttyS0\n")
    #expect(holder(of: "/dev/ttyS0") == .console(tty: "ttyS0"))
  }

  @Test func aLoginOnThePortIsNamed() throws {
    try process(
      500, "agetty", arguments: ["/sbin/agetty", "-o", "-p -- \\u", "--keep-baud", "115200", "ttyAMA0", "vt220"])
    try process(501, "agetty", arguments: ["/sbin/agetty", "tty1", "linux"])
    #expect(holder(of: "/dev/ttyAMA0") == .console(tty: "ttyAMA0"))
    #expect(holder(of: "/dev/ttyAMA1") == .unknown)
  }

  @Test func nothingIsKnownWhereNothingIsThere() {
    #expect(holder() == .unknown)
    #expect(holder(of: "") == .unknown)
    #expect(holder(of: "/") == .unknown)
  }
}
