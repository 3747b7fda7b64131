import GPSDServer
import Geodesy
import LocationIPC
import Testing
import WireFormats

/// What clients without exact access receive.
@Suite struct GPSDAccessTests {
  private static let watchJSON = "?WATCH={\"enable\":true,\"json\":true};\n"

  @Test func undecidedClientsReceiveAnEmptyTPV() {
    var client = ServedClient(access: .undecided)
    client.send(Self.watchJSON)
    #expect(client.classes() == ["DEVICES", "WATCH", "TPV"])
    client.sendEpoch()
    client.wait(.seconds(1))
    #expect(client.lines() == [#"{"class":"TPV","device":"/dev/ttyACM0","mode":0}"#])
    client.handle(.access(.full))
    client.sendEpoch()
    #expect(client.classes() == ["SKY", "GST", "TPV"])
    #expect(
      client.actions == [
        .startUpdates(GPSDUpdates(device: nil, satellites: false, raw: false, marks: false)),
        .startUpdates(GPSDUpdates(device: nil, satellites: true, raw: false, marks: false)),
      ])
  }

  @Test func refusedClientsReceiveAnErrorAndNoPosition() {
    var client = ServedClient(access: .denied)
    client.send(Self.watchJSON)
    let answer = client.lines()
    #expect(answer.map(ServedClient.className) == ["DEVICES", "WATCH", "ERROR", "TPV"])
    #expect(answer[2] == #"{"class":"ERROR","message":"locationd: not authorized, see locationctl(1), grant"}"#)
    #expect(client.actions == [])
    client.wait(.seconds(121))
    let bare = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#
    #expect(client.lines() == [bare, bare])
    client.send("?POLL;\n")
    #expect(client.lines()[0].contains(#""tpv":[\#(bare)],"gst":[],"sky":[{"class":"SKY","device":"/dev/ttyACM0"}]"#))
  }

  /// An error line would be read as the answer to POLL.
  @Test func aRefusedPollingClientReceivesTwoLines() {
    var client = ServedClient(access: .denied)
    client.send("?WATCH={\"enable\":true}\n")
    #expect(client.classes() == ["DEVICES", "WATCH"])
  }

  @Test func reducedClientsReceiveOnlyThePosition() {
    var client = ServedClient(access: .reduced)
    client.send(Self.watchJSON)
    let devices = client.lines()[0]
    #expect(devices.value("flags") == "1" && client.actions.count == 1)
    client.sendEpoch()
    #expect(
      client.lines() == [
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-03-01T12:34:56.000Z","ept":0.005,"#
          + #""lat":48.125011667,"lon":-11.575011667,"eph":1.500,"epx":1.061,"epy":1.061}"#
      ])
    client.send("?POLL;\n")
    #expect(client.lines()[0].contains(#""gst":[],"sky":[{"class":"SKY","device":"/dev/ttyACM0"}]"#))
    client.send("?WATCH={\"raw\":2,\"nmea\":true}\n")
    let refused = client.lines()
    #expect(refused[0].contains("raw data needs access to the exact location") && refused[2].value("raw") == "0")
    client.handle(.raw([0xB5, 0x62], device: ServedEpoch.path))
    #expect(client.lines() == [])
  }

  /// Another machine gets positions with its grant, and raw data never.
  @Test func anotherMachineGetsNoRawData() {
    var client = ServedClient(isOfThisMachine: false)
    client.send("?WATCH={\"json\":true,\"raw\":2}\n")
    let refused = client.lines()
    #expect(refused[0].contains("raw data is only for programs of this machine") && refused[2].value("raw") == "0")
    client.handle(.raw([0xB5, 0x62], device: ServedEpoch.path))
    #expect(client.lines() == [])
    client.sendEpoch()
    #expect(client.lines().contains { $0.contains("\"lat\"") })
  }

  /// Neither an exact epoch that was encoded before a change nor one in the queue leaves after it.
  @Test func revokedAccessStopsWhatWaits() {
    var client = ServedClient()
    client.send(Self.watchJSON)
    _ = client.lines()
    client.reads = false
    client.sendEpoch()
    client.handle(.access(.denied))
    client.reads = true
    client.handle(.wake)
    #expect(client.classes() == ["ERROR", "TPV"])
    var encoder = GPSDEpochEncoder(access: .full)
    let exact = encoder.text(
      ServedEpoch.epoch(at: client.now), .json, devices: ServedClient.list([ServedEpoch.device]), at: client.now)
    client.handle(.epoch(exact))
    client.handle(.access(.reduced))
    client.handle(.epoch(exact))
    #expect(client.lines() == [])
  }

  /// A serial number identifies the machine.
  @Test func serialNumbersAreLeftOut() {
    var device = ServedEpoch.device
    device.path = "/dev/serial/by-id/usb-u-blox_AG_12345678-if00"
    var client = ServedClient(access: .reduced, devices: [device])
    client.send("?DEVICES;\n?DEVICE={\"path\":\"/dev/serial/by-id/*\"}\n")
    for line in client.lines() { #expect(line.contains("by-id/*") && !line.contains("12345678")) }
  }

  @Test func rawBytesAreThoseOfOneReceiver() {
    var other = ServedEpoch.device
    other.path = "/dev/ttyUSB0"
    var client = ServedClient(devices: [ServedEpoch.device, other])
    client.send("?WATCH={\"raw\":2}\n")
    #expect(client.lines()[0].contains("raw data comes from one receiver only"))
    client.send("?WATCH={\"raw\":2,\"device\":\"/dev/ttyUSB0\"}\n")
    #expect(client.classes() == ["DEVICES", "WATCH"])
    client.handle(.raw(Array("a\r\n".utf8), device: "/dev/ttyACM0"))
    client.handle(.raw(Array("b\r\n".utf8), device: "/dev/ttyUSB0"))
    #expect(client.lines() == ["b"])
  }

  /// Raw 1: sentences as they are, binary frames in hexadecimal.
  @Test func rawFramesAreText() {
    var client = ServedClient()
    client.send("?WATCH={\"raw\":1}\n")
    _ = client.lines()
    let frame: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]
    let sentence = NMEASentence.encode("GPTXT,01,01,02,a")
    client.handle(.raw(Array("noise".utf8) + sentence + frame[..<5], device: ServedEpoch.path))
    client.handle(.raw(Array(frame[5...]), device: ServedEpoch.path))
    #expect(client.lines() == [String(decoding: sentence.dropLast(2), as: UTF8.self), "b5620501020006010f38"])
  }

  @Test func timeMarksNeedPPS() {
    var client = ServedClient()
    let mark = GPSDTimeMark(
      .pulse, device: ServedEpoch.path, receiver: ServedClient.clock,
      clock: ServedClient.clock + .nanoseconds(-250), precision: -20)
    client.send(Self.watchJSON)
    client.handle(.mark(mark))
    #expect(client.classes() == ["DEVICES", "WATCH"])
    client.send("?WATCH={\"pps\":true}\n")
    _ = client.lines()
    client.handle(.mark(mark))
    #expect(
      client.lines() == [
        #"{"class":"PPS","device":"/dev/ttyACM0","real_sec":1772368496,"real_nsec":0,"clock_sec":1772368495,"#
          + #""clock_nsec":999999750,"precision":-20}"#
      ])
  }
}
