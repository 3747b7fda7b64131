import Glibc
import LinuxIO
import Testing

@Suite struct CredentialFileTests {
  private static func read(_ path: String, outside folder: String, isSecret: Bool = true) throws -> [UInt8] {
    try CredentialFile.read(path, outside: folder, isSecret: isSecret, maximumSize: 100)
  }

  @Test func theServicesOwnFilesAreNotReadHoweverThePathLeadsThere() throws {
    let folder = try TemporaryFolder()
    let state = folder.path + "/state"
    let refused = SystemError(operation: "open", errno: EACCES)
    try StateFile.write(state + "/fleet/van/memory", [1])
    try StateFile.write(folder.path + "/stateful", [2])
    #expect(unsafe symlink(state, folder.path + "/other") == 0)
    #expect(unsafe symlink(state + "/fleet/van/memory", folder.path + "/link") == 0)
    for path in ["/state/fleet/van/memory", "/other/fleet/van/memory", "/link", "/other/../state/fleet/van/memory"] {
      for isSecret in [true, false] {
        #expect(throws: refused) { try Self.read(folder.path + path, outside: state, isSecret: isSecret) }
      }
    }
    #expect(throws: refused) { try Self.read("/proc/self/status", outside: state, isSecret: false) }
    // The folder's own name may be a link, too.
    #expect(throws: refused) { try Self.read(state + "/fleet/van/memory", outside: folder.path + "/other") }
    #expect(try Self.read(folder.path + "/stateful", outside: state) == [2])
    #expect(try Self.read(folder.path + "/stateful", outside: folder.path + "/nowhere") == [2])
  }

  @Test func aSecretIsPrivateAndAFile() throws {
    let folder = try TemporaryFolder()
    try StateFile.write(folder.path + "/secret", [1, 2])
    #expect(try Self.read(folder.path + "/secret", outside: "/nowhere") == [1, 2])
    #expect(unsafe chmod(folder.path + "/secret", 0o640) == 0)
    #expect(throws: SystemError(operation: "open", errno: EACCES)) {
      try Self.read(folder.path + "/secret", outside: "/nowhere")
    }
    #expect(try Self.read(folder.path + "/secret", outside: "/nowhere", isSecret: false) == [1, 2])
    #expect(unsafe mkfifo(folder.path + "/fifo", 0o600) == 0)
    for path in [folder.path + "/fifo", folder.path] {
      #expect(throws: SystemError(operation: "read", errno: EINVAL)) { try Self.read(path, outside: "/nowhere") }
    }
    try StateFile.write(folder.path + "/long", [UInt8](repeating: 1, count: 101))
    #expect(throws: SystemError(operation: "read", errno: EFBIG)) {
      try Self.read(folder.path + "/long", outside: "/nowhere")
    }
  }
}
