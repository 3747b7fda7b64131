import Foundation
import LinuxDevices
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

  @Test func aFolderThatIsNotThereIsAnError() {
    #expect(throws: (any Error).self) { try TrustStore(folder: "/nonexistent/folder").save(TrustList()) }
  }

  @Test func aFIFOInItsPlaceDoesNotHoldUs() throws {
    let folder = try FixtureTree()
    #expect(unsafe mkfifo(folder.root + "/" + TrustStore.fileName, 0o600) == 0)
    #expect(TrustStore(folder: folder.root).load() == TrustList())
  }
}
