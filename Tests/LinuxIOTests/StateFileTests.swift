import Glibc
import LinuxIO
import Testing

@Suite struct StateFileTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  private func names(in folder: String) -> Set<String> {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: Set<String> = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.insert(name) }
    }
    return names
  }

  @Test func makesPrivateFoldersAndFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/b/state"
    #expect(try StateFile.read(path, maximumSize: 10) == nil)
    try StateFile.write(path, [1, 2, 3])
    #expect(try StateFile.read(path, maximumSize: 3) == [1, 2, 3])
    #expect(mode(path) == 0o600)
    #expect(mode(folder.path + "/a") == 0o700)
    #expect(mode(folder.path + "/a/b") == 0o700)
  }

  /// The file itself stays, whatever the clock was when it was written; of the others, the oldest are removed, and also the files
  /// that a killed process has left. Folders are not counted.
  @Test func aFolderGrowsNoFurtherThanItMay() throws {
    let folder = try TemporaryFolder()
    for (name, seconds) in [("a", 10), ("b", 40), ("c.71.new", 20), ("d", 30), ("mine", 1)] {
      let path = folder.path + "/" + name
      try StateFile.write(path, [1])
      var times = [timespec](repeating: timespec(tv_sec: 1_000_000 + seconds, tv_nsec: 0), count: 2)
      #expect(unsafe utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    #expect(unsafe mkdir(folder.path + "/folder", 0o700) == 0)
    StateFile.prune(around: folder.path + "/mine", keeping: 5)
    #expect(names(in: folder.path).count == 6)
    StateFile.prune(around: folder.path + "/mine", keeping: 2)
    #expect(names(in: folder.path) == ["mine", "b", "d", "folder"])
    StateFile.remove(folder.path + "/mine")
    StateFile.remove(folder.path + "/mine")
    #expect(names(in: folder.path) == ["b", "d", "folder"])
    // In a folder that does not exist, nothing has to be removed.
    StateFile.prune(around: folder.path + "/nowhere/mine", keeping: 0)
  }

  @Test func replacesWholeAndLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/state"
    let large = [UInt8](repeating: 7, count: 100_000)
    try StateFile.write(path, large)
    // A process that has the old file open keeps the old content: the file was replaced, and not overwritten.
    let old = OwnedDescriptor(rawValue: unsafe open(path, O_RDONLY | O_CLOEXEC))
    try StateFile.write(path, [])
    #expect(try StateFile.read(path, maximumSize: 0) == [])
    var buffer = [UInt8](repeating: 0, count: 200_000)
    let count = unsafe read(old.rawValue, &buffer, buffer.count)
    #expect(Array(buffer[..<max(count, 0)]) == large)
    #expect(names(in: folder.path) == ["state"])
  }

  @Test func keepsTheOldFileWhenWritingFails() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/state"
    try StateFile.write(path, [1])
    // A folder cannot be replaced by a file.
    #expect(unsafe mkdir(folder.path + "/folder", 0o700) == 0)
    #expect(throws: SystemError(operation: "rename", errno: EISDIR)) {
      try StateFile.write(folder.path + "/folder", [2])
    }
    #expect(throws: SystemError(operation: "open", errno: ENOTDIR)) { try StateFile.write(path + "/below", [2]) }
    #expect(try StateFile.read(path, maximumSize: 1) == [1])
    #expect(names(in: folder.path) == ["state", "folder"])
  }

  @Test func readsNoMoreThanAsked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/state"
    try StateFile.write(path, [UInt8](repeating: 1, count: 40_000))
    #expect(throws: SystemError(operation: "read", errno: EFBIG)) { try StateFile.read(path, maximumSize: 39_999) }
    #expect(try StateFile.read(path, maximumSize: 40_000)?.count == 40_000)
    #expect(throws: SystemError(operation: "read", errno: EINVAL)) {
      try StateFile.read("/dev/zero", maximumSize: 10)
    }
    #expect(throws: SystemError(operation: "read", errno: EINVAL)) {
      try StateFile.read(folder.path, maximumSize: 10)
    }
    #expect(unsafe mkfifo(folder.path + "/fifo", 0o600) == 0)
    #expect(throws: SystemError(operation: "read", errno: EINVAL)) {
      try StateFile.read(folder.path + "/fifo", maximumSize: 10)
    }
  }

  @Test(
    arguments: [
      (["LOCATIOND_STATE": "/s", "HOME": "/h"], true, "/s"),
      (["LOCATIOND_STATE": "", "XDG_STATE_HOME": "/x", "HOME": "/h"], true, "/var/lib/locationd"),
      (["XDG_STATE_HOME": "/x", "HOME": "/h"], false, "/x/locationd"),
      (["XDG_STATE_HOME": "x", "HOME": "/h"], false, "/h/.local/state/locationd"),
      (["HOME": "/h"], false, "/h/.local/state/locationd"),
      (["HOME": ""], false, nil),
      ([:], false, nil),
    ] as [([String: String], Bool, String?)])
  func choosesTheStateFolder(environment: [String: String], isRoot: Bool, expected: String?) {
    #expect(Directories.state(environment: { environment[$0] }, isRoot: isRoot) == expected)
  }
}
