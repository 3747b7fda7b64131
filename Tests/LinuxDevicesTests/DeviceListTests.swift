import LinuxDevices
import Testing

@Suite struct DeviceListTests {
  @Test func commentsAndOrderSurvive() {
    let text = "# ours\nusb-10c4-ea60-0addfc38c7f9\n  /dev/ttyAMA0\t\r\n\n# theirs\nuart@fe201000.serial"
    var list = DeviceList(parsing: Array(text.utf8))
    #expect(list.identifiers == ["usb-10c4-ea60-0addfc38c7f9", "/dev/ttyAMA0", "uart@fe201000.serial"])
    #expect(list.rejectedLines == 0)
    let answer1 = list.remove("/dev/ttyAMA0")
    #expect(answer1)
    let answer2 = list.remove("/dev/ttyAMA0")
    #expect(!answer2)
    let answer3 = list.add("a")
    #expect(answer3)
    #expect(
      String(decoding: list.serialized(), as: UTF8.self)
        == "# ours\nusb-10c4-ea60-0addfc38c7f9\n# theirs\nuart@fe201000.serial\na\n")
    #expect(DeviceList(parsing: list.serialized()) == list)
  }

  @Test func addingTwiceKeepsOne() {
    var list = DeviceList()
    let answer4 = list.add("a")
    #expect(answer4)
    let answer5 = list.add("a")
    #expect(answer5)
    #expect(list.identifiers == ["a"])
    #expect(list.contains("a"))
    #expect(!list.contains("A"))
  }

  @Test(arguments: [
    "", " ", "two words", "#comment", "tab\tbed", "new\nline", "umläut", String(repeating: "x", count: 201),
  ])
  func invalidIdentifiersAreRefused(text: String) {
    var list = DeviceList()
    let answer6 = list.add(text)
    #expect(!answer6)
    #expect(list == DeviceList())
  }

  @Test func junkIsCountedAndBounded() {
    let junk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let list = DeviceList(parsing: junk)
    #expect(list.rejectedLines > 0)
    #expect(list.identifiers.allSatisfy { DeviceList.isIdentifier($0) })

    let many = DeviceList(parsing: Array((0..<1000).map { "id\($0)" }.joined(separator: "\n").utf8))
    #expect(many.identifiers.count == DeviceList.maximumDevices)
    #expect(many.rejectedLines == 1000 - DeviceList.maximumDevices)
    let comments = DeviceList(parsing: Array(repeating: Array("# x\n".utf8), count: 10_000).flatMap { $0 })
    #expect(comments.serialized().count <= 2 * DeviceList.maximumDevices * 4)
    #expect(comments.rejectedLines > 0)
  }
}
