import Foundation
import TestSupport
import Testing

/// Hot-plug through libudev: real events on its netlink socket, for a process that runs in umockdev's test bed.
@Suite(.enabled(if: DeviceBed.isInstalled, "umockdev is not installed: apt-get install umockdev"))
struct HotplugTests {
  private let bed: DeviceBed

  private static let receiver = BedPort(
    name: "ttyACM0", minor: 0, vendor: "1546", product: "01a7", strings: ["product": "u-blox 7 - GPS/GNSS Receiver"],
    properties: ["DEVLINKS": "/dev/serial/by-id/usb-u-blox_7-if00"])
  private static let adapter = BedPort(
    name: "ttyUSB0", minor: 1, vendor: "10c4", product: "ea60",
    strings: ["product": "CP2102 USB to UART Bridge Controller", "serial": "0addfc38c7f9"], place: "1-2")

  init() throws { bed = try DeviceBed() }

  private func watch() throws -> WatchedInventory { try WatchedInventory(in: bed) }

  @Test func whatIsPluggedInAtTheStartIsListed() throws {
    try bed.add(Self.receiver)
    try bed.add(Self.adapter)
    let watch = try watch()
    let lines = try [watch.next("appeared"), watch.next("appeared")].sorted { ($0["path"] ?? "") < ($1["path"] ?? "") }
    #expect(lines.map { $0["path"] } == ["/dev/ttyACM0", "/dev/ttyUSB0"])
    #expect(lines[0]["id"] == "usb-1546-01a7@0000:00:14.0-1")
    #expect(lines[0]["usb"] == "1546:01a7")
    #expect(lines[0]["class"]?.contains("receiver") == true)
    #expect(lines[1]["id"] == "usb-10c4-ea60-0addfc38c7f9")
    #expect(lines[1]["class"] == "adapter")
    #expect(try watch.next("watching")["mechanism"] == "udev")
  }

  @Test func aReceiverComesGoesAndComesBackUnderAnotherName() throws {
    let watch = try watch()
    #expect(try watch.next("watching")["devices"] == "0")
    try bed.plug(Self.receiver)
    let first = try watch.next("appeared")
    #expect(first["path"] == "/dev/ttyACM0")
    #expect(first["symlinks"] == "/dev/serial/by-id/usb-u-blox_7-if00")
    try bed.write("$GPTXT,first*00", from: Self.receiver)
    let bytes = try watch.next("bytes")
    #expect(bytes["path"] == "/dev/ttyACM0")
    #expect(bytes["text"]?.hasPrefix("$GPTXT,first") == true)

    try bed.unplug(Self.receiver)
    let gone = try watch.next("vanished")
    #expect(gone == ["event": "vanished", "id": first["id"] ?? "", "path": "/dev/ttyACM0"])

    var other = Self.receiver
    other.name = "ttyACM1"
    other.minor = 7
    other.isReplugged = true
    try bed.plug(other)
    let second = try watch.next("appeared")
    #expect(second["path"] == "/dev/ttyACM1")
    #expect(second["id"] == first["id"])
    try bed.write("$GPTXT,second*00", from: other)
    #expect(try watch.next("bytes")["text"]?.hasPrefix("$GPTXT,second") == true)
  }

  @Test func anUntrustedAdapterIsReportedAndNotOpened() throws {
    // The node exists before its event comes, so that every opening is counted.
    try bed.add(Self.adapter)
    let port = try FileManager.default.destinationOfSymbolicLink(atPath: bed.root + "/dev/ttyUSB0")
    let opens = try OpenWatch(port)
    let watch = try watch()
    #expect(try watch.next("appeared")["class"] == "adapter")
    // A receiver after it: when its bytes are read, the adapter's event has been handled.
    try bed.plug(Self.receiver)
    try bed.write("$GPTXT,alive*00", from: Self.receiver)
    #expect(try watch.next("bytes")["path"] == "/dev/ttyACM0")
    #expect(opens.count() == 0)

    // The watch for openings works: the test opens the port itself.
    let descriptor = unsafe open(port, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(descriptor >= 0)
    close(descriptor)
    #expect(opens.count() > 0)
  }

  @Test func aRuleOfTheOwnersMakesAnAdapterAReceiver() throws {
    let watch = try watch()
    _ = try watch.next("watching")
    var tagged = Self.adapter
    tagged.properties = ["ID_GNSS_RECEIVER": "1"]
    try bed.plug(tagged)
    #expect(try watch.next("appeared")["class"]?.contains("udevProperty") == true)
  }

  @Test func anEventOfAKnownDeviceIsAChange() throws {
    try bed.add(Self.receiver)
    let watch = try watch()
    let id = try watch.next("appeared")["id"]
    try bed.send("change", Self.receiver)
    #expect(try watch.next("changed")["id"] == id)
  }
}

/// Counts how often a node was opened by any process.
private final class OpenWatch {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try #require(unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
  }

  deinit { close(descriptor) }

  /// The count since the last call.
  func count() -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // An event without a name: wd, mask, cookie, len (inotify(7)).
    return max(unsafe read(descriptor, &buffer, buffer.count), 0) / 16
  }
}
