import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct ConfinementTests {
  /// A process that the bytes it reads have taken over could make these calls.
  @Test func aConfinedProcessHasOnlyItsFolder() throws {
    let place = try TemporaryFolder()
    let (folder, file) = (place.path + "/own", place.path + "/other")
    try #require(unsafe mkdir(folder, 0o700) == 0)
    let fd = unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(unsafe write(fd, "content", 7) == 7)
    close(fd)
    let user: UInt32 = 1234
    if getuid() == 0 {
      for path in [place.path, folder, file] { #expect(unsafe chown(path, user, user) == 0) }
    }
    let process = try HelperProcess("peer-bed", ["confined", folder, file, "\(user)"], environment: [:])
    var lines: [String] = []
    while let line = process.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    // The kernel has no calls of 32-bit processes.
    guard lines.first == "i386 0" else { return }
    try #require(lines.count > 1 && lines[1].hasPrefix("gaps "), "\(lines)")
    let gaps = Confinement.Gaps(rawValue: Int(lines[1].dropFirst(5)) ?? -1)
    if !gaps.contains(.processes) {
      // The last call, one of a 32-bit process, has killed it.
      #expect(lines.count == 6 && lines.contains("socket \(EPERM)"), "\(lines)")
    }
    if !gaps.contains(.files) { #expect(lines.contains("open \(EACCES)"), "\(lines)") }
    #expect(lines.contains("own 0"), "\(lines)")
    var status = stat()
    #expect(unsafe stat(file, &status) == 0)
    if gaps.isDisjoint(with: [.files, .truncation]) { #expect(status.st_size == 7, "\(lines)") }
  }
}
