import Foundation
import LinuxDevices
import LinuxIO
import Testing

@Suite struct DeviceListStoreTests {
  @Test func whatIsSavedIsThereForTheNextProcess() throws {
    let folder = try FixtureTree()
    let store = DeviceListStore(.trusted, folder: folder.root)
    #expect(store.load() == DeviceList())
    var list = DeviceList()
    list.add("usb-10c4-ea60-0addfc38c7f9")
    try store.save(list)
    #expect(DeviceListStore(.trusted, folder: folder.root).load() == list)
    list.remove("usb-10c4-ea60-0addfc38c7f9")
    try store.save(list)
    #expect(store.load().identifiers == [])
    // No other file is left beside it.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root) == [DeviceListStore.Choice.trusted.rawValue])
  }

  @Test func theFolderIsMadeAndAFileInItsPlaceIsAnError() throws {
    let fixture = try FixtureTree()
    try DeviceListStore(.trusted, folder: fixture.root + "/a/b").save(DeviceList())
    try fixture.file("/file", "")
    #expect(throws: SystemError.self) {
      try DeviceListStore(.trusted, folder: fixture.root + "/file").save(DeviceList())
    }
  }

  @Test func whatAnotherProcessWroteIsKept() throws {
    let folder = try FixtureTree()
    try folder.file("/" + DeviceListStore.Choice.trusted.rawValue, "# by hand\none\n")
    let store = DeviceListStore(.trusted, folder: folder.root)
    #expect(try store.set("two", true).identifiers == ["one", "two"])
    #expect(try store.set("one", false).identifiers == ["two"])
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "# by hand\ntwo\n")
  }

  @Test func aListThatCannotBeReadIsEmptyAndIsNotOverwritten() throws {
    let folder = try FixtureTree()
    let text = String(repeating: "one\n", count: DeviceList.maximumFileBytes)
    try folder.file("/" + DeviceListStore.Choice.trusted.rawValue, text)
    let store = DeviceListStore(.trusted, folder: folder.root)
    #expect(store.load() == DeviceList())
    #expect(throws: SystemError.self) { try store.set("two", true) }
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == text)
  }

  @Test func aFIFOInItsPlaceDoesNotHoldUs() throws {
    let folder = try FixtureTree()
    #expect(unsafe mkfifo(folder.root + "/" + DeviceListStore.Choice.trusted.rawValue, 0o600) == 0)
    #expect(DeviceListStore(.trusted, folder: folder.root).load() == DeviceList())
  }
}
