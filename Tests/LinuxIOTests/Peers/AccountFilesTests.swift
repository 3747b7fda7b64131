import LinuxIO
import Testing

@Suite struct AccountFilesTests {
  private func process(user: UInt32, group: UInt32, _ groups: [UInt32] = []) -> PeerProcess {
    PeerProcess(PeerCredentials(processID: 1, userID: user, groupID: group), groups: groups)
  }

  @Test func findsMembersByTheKernelAndByTheFile() throws {
    let folder = try TemporaryFolder()
    let files = AccountFiles(folder.path)
    let names: Set<String> = ["location", "dialout"]
    // Without these files, nobody belongs to any group.
    #expect(files.groups(of: process(user: 0, group: 0, [20, 990]), among: names) == [])
    try StateFile.write(
      folder.path + "/passwd",
      Array("root:x:0:0::/root:/bin/sh\nmaria:x:1000:1000::/home/maria:/bin/sh\nmari:x:1001:1001::/:/bin/sh\n".utf8))
    try StateFile.write(
      folder.path + "/group",
      Array("root:x:0:\ndialout:x:20:other,maria\nlocation:x:990:maria\nlocation2:x:0:mari\nbroken\n:::\n".utf8))
    #expect(files.groups(of: process(user: 1000, group: 1000), among: names) == ["location", "dialout"])
    #expect(files.groups(of: process(user: 1000, group: 1000), among: ["location"]) == ["location"])
    // A prefix of a name is not a match.
    #expect(files.groups(of: process(user: 1001, group: 1001), among: names) == [])
    #expect(files.groups(of: process(user: 1001, group: 990), among: names) == ["location"])
    #expect(files.groups(of: process(user: 1001, group: 1001, [4, 20]), among: names) == ["dialout"])
    // For a user of a domain, who is not in the files, the groups are those that the kernel reports.
    #expect(files.groups(of: process(user: 1_667_200_500, group: 1, [990]), among: names) == ["location"])
    #expect(files.groups(of: process(user: 1_667_200_500, group: 1), among: names) == [])
    #expect(files.name(of: 1001) == "mari")
    #expect(files.name(of: 7) == nil)
    #expect(files.primaryGroup(of: 1001) == 1001)
    #expect(files.primaryGroup(of: 0) == 0)
    #expect(files.primaryGroup(of: 7) == nil)
  }

  @Test func readsNoEndlessFile() throws {
    let folder = try TemporaryFolder()
    let line = Array("location:x:990:\n".utf8)
    try StateFile.write(folder.path + "/group", line + [UInt8](repeating: 0x0A, count: 1 << 20))
    #expect(AccountFiles(folder.path).groups(of: process(user: 1, group: 990), among: ["location"]) == [])
  }

  @Test func knowsThisMachine() {
    #expect(AccountFiles("/etc").name(of: 0) == "root")
  }
}
