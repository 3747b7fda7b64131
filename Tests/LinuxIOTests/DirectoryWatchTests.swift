import Glibc
import LinuxIO
import Testing

@Suite struct DirectoryWatchTests {
  @Test func reportsWhatChanges() throws {
    let folder = try TemporaryFolder()
    let watch = try DirectoryWatch(path: folder.path)
    #expect(watch.drain() == [])
    let (a, b) = (folder.path + "/a", folder.path + "/b")
    #expect(unsafe mkdir(a, 0o700) == 0)
    #expect(unsafe chmod(a, 0o755) == 0)
    #expect(unsafe rename(a, b) == 0)
    #expect(unsafe rmdir(b) == 0)
    #expect(waitReadable(watch.descriptor))
    #expect(watch.drain() == [.created("a"), .attributesChanged("a"), .deleted("a"), .created("b"), .deleted("b")])
    #expect(watch.drain() == [])
  }

  @Test func reportsWhenTheFolderGoes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/watched"
    #expect(unsafe mkdir(path, 0o700) == 0)
    let watch = try DirectoryWatch(path: path)
    #expect(unsafe rmdir(path) == 0)
    #expect(watch.drain() == [.folderGone])
    #expect(throws: SystemError(operation: "inotify_add_watch", errno: ENOENT)) { _ = try DirectoryWatch(path: path) }
    #expect(throws: SystemError(operation: "inotify_add_watch", errno: ENOTDIR)) {
      _ = try DirectoryWatch(path: "/dev/null")
    }
  }

  @Test func drainsManyInSteps() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/file"
    try StateFile.write(file, [])
    let watch = try DirectoryWatch(path: folder.path)
    let names = (0..<700).map { "entry-\($0)" }
    for name in names { #expect(unsafe link(file, folder.path + "/" + name) == 0) }
    var seen: [DirectoryWatch.Event] = []
    while true {
      let events = watch.drain()
      #expect(events.count <= 1024)
      if events.isEmpty { break }
      seen += events
    }
    #expect(seen == names.map { .created($0) })
  }
}
