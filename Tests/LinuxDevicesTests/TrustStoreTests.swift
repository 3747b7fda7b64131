import Foundation
import LinuxDevices
import LinuxIO
import Testing

@Suite struct TrustStoreTests {
  @Test func whatIsSavedIsThereForTheNextProcess() throws {
    let folder = try FixtureTree()
    let store = TrustStore(folder: folder.root)
    #expect(store.load() == TrustList())
    var list = TrustList()
    list.trust("usb-10c4-ea60-0addfc38c7f9")
    try store.save(list)
    #expect(TrustStore(folder: folder.root).load() == list)
    list.forget("usb-10c4-ea60-0addfc38c7f9")
    try store.save(list)
    #expect(store.load().identifiers == [])
    // Nothing is left beside it.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == [TrustStore.fileName])
  }

  @Test func theFolderIsMadeAndAFileInItsPlaceIsAnError() throws {
    let fixture = try FixtureTree()
    try TrustStore(folder: fixture.root + "/a/b").save(TrustList())
    try fixture.file("/file", "")
    #expect(throws: SystemError.self) { try TrustStore(folder: fixture.root + "/file").save(TrustList()) }
  }

  @Test func whatAnotherProcessWroteIsKept() throws {
    let folder = try FixtureTree()
    try folder.file("/" + TrustStore.fileName, "# by hand\none\n")
    let store = TrustStore(folder: folder.root)
    #expect(try store.set("two", trusted: true).identifiers == ["one", "two"])
    #expect(try store.set("one", trusted: false).identifiers == ["two"])
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "# by hand\ntwo\n")
  }

  @Test func aListThatCannotBeReadTrustsNothingAndIsNotOverwritten() throws {
    let folder = try FixtureTree()
    let text = String(repeating: "one\n", count: TrustList.maximumFileBytes)
    try folder.file("/" + TrustStore.fileName, text)
    let store = TrustStore(folder: folder.root)
    #expect(store.load() == TrustList())
    #expect(throws: SystemError.self) { try store.set("two", trusted: true) }
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == text)
  }

  @Test func aFIFOInItsPlaceDoesNotHoldUs() throws {
    let folder = try FixtureTree()
    #expect(unsafe mkfifo(folder.root + "/" + TrustStore.fileName, 0o600) == 0)
    #expect(TrustStore(folder: folder.root).load() == TrustList())
  }
}
