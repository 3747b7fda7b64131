import GPSDServer
import Geodesy
import LocationIPC
import Testing

/// What a client receives, and in which order.
@Suite struct GPSDSessionTests {
  private static let watchJSON = "?WATCH={\"enable\":true,\"json\":true};\n"
  private static let updates = GPSDUpdates(device: nil, satellites: true, raw: false, marks: false)

  @Test func beginsWithVersion() {
    var client = ServedClient(greeted: false)
    #expect(
      client.lines() == [
        #"{"class":"VERSION","release":"3.25","rev":"locationd \#(Release.current)","proto_major":3,"proto_minor":15}"#
      ])
    #expect(client.actions == [])
  }

  @Test func watchIsAnsweredByDevicesAndWatch() {
    var client = ServedClient()
    #expect(client.send(Self.watchJSON) == [.startUpdates(Self.updates)])
    #expect(
      client.lines() == [
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","subtype":"SPG 4.04","#
          + #""activated":"2026-03-01T12:34:56.000Z","flags":1,"native":1,"bps":115200,"parity":"N","stopbits":1,"#
          + #""cycle":1.00,"readonly":true}]}"#,
        #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"#
          + #""split24":false,"pps":false}"#,
      ])
    client.sendEpoch()
    #expect(client.classes() == ["SKY", "GST", "TPV"])
    #expect(client.send("?WATCH={\"enable\":false}\n") == [.stopUpdates])
    client.sendEpoch()
    #expect(client.classes() == ["DEVICES", "WATCH"])
  }

  @Test func nothingIsOpenedBeforeWatch() {
    var client = ServedClient()
    client.send("?DEVICES;\n?DEVICE;\n?POLL;\n?VERSION;\n?WATCH;\n?DEVICE={\"path\":\"/dev/ttyACM0\"}\n")
    #expect(client.classes() == ["DEVICES", "DEVICE", "POLL", "VERSION", "DEVICES", "WATCH", "DEVICE"])
    #expect(client.actions == [])
  }

  /// What is missing in a later WATCH is kept for some keys and reset for the others.
  @Test func flagsAreKeptOrReset() {
    var client = ServedClient()
    client.send(
      "?WATCH={\"json\":true,\"nmea\":true,\"raw\":1,\"pps\":true,\"scaled\":true,\"timing\":true,\"split24\":true}\n")
    let first = client.lines().last ?? ""
    #expect(["enable", "json", "nmea", "pps", "scaled", "timing", "split24"].allSatisfy { first.value($0) == "true" })
    client.send("?WATCH={}\n")
    let second = client.lines().last ?? ""
    #expect(["enable", "json", "nmea"].allSatisfy { second.value($0) == "true" })
    #expect(second.value("raw") == "1")
    #expect(["pps", "scaled", "timing", "split24"].allSatisfy { second.value($0) == "false" })
  }

  /// gpsd-py3 reads exactly two lines, and later one line for each POLL; anything else shifts its answers for ever.
  @Test func aPollingClientReceivesOnlyAnswers() {
    var client = ServedClient()
    client.send("?WATCH={\"enable\":true}\n")
    #expect(client.classes() == ["DEVICES", "WATCH"])
    client.sendEpoch()
    client.handle(.devices(ServedClient.list([])))
    client.handle(.devices(ServedClient.list([ServedEpoch.device])))
    #expect(client.lines() == [])
    client.send("?POLL;\n")
    let poll = client.lines()
    #expect(poll.count == 1)
    #expect(poll[0].hasPrefix(#"{"class":"POLL","time":"2026-03-01T12:34:56.000Z","active":1,"tpv":[{"class":"TPV","#))
    #expect(poll[0].contains(#""sky":[{"class":"SKY","device":"/dev/ttyACM0","time""#))
    #expect(poll[0].hasSuffix("}]}]}"))
  }

  @Test func pollHasTheAgedRadiusAndNoOldPosition() {
    var client = ServedClient()
    client.send("?WATCH={\"enable\":true}\n")
    client.sendEpoch()
    _ = client.lines()
    client.now = client.now + .seconds(1)
    client.send("?POLL;\n")
    #expect(client.lines()[0].number("eph") == 14)
    client.now = client.now + .milliseconds(1001)
    client.send("?POLL;\n")
    let old = client.lines()[0]
    #expect(old.value("active") == "1" && old.value("mode") == "1" && old.value("lat") == nil)
  }

  @Test func pollWithoutAFix() {
    var client = ServedClient()
    client.send("?POLL;\n")
    #expect(
      client.lines() == [
        #"{"class":"POLL","time":"2026-03-01T12:34:56.000Z","active":0,"tpv":[],"gst":[],"sky":[]}"#
      ])
    client.send("?WATCH={\"enable\":true}\n?POLL;\n")
    #expect(
      client.lines().last
        == #"{"class":"POLL","time":"2026-03-01T12:34:56.000Z","active":1,"tpv":[{"class":"TPV","device":"/dev/ttyACM0","#
        + #""mode":1}],"gst":[],"sky":[{"class":"SKY","device":"/dev/ttyACM0"}]}"#)
  }

  /// gpsprof reads all keys of the line from each device that has a baud rate.
  @Test func withoutAReceiverThereIsOneDevice() {
    var client = ServedClient(devices: [])
    client.send("?DEVICES;\n?DEVICE;\n")
    let device =
      #"{"class":"DEVICE","path":"locationd","driver":"locationd","native":0,"bps":0,"parity":"N","stopbits":1,"cycle":1.00,"#
      + #""readonly":true}"#
    #expect(client.lines() == [#"{"class":"DEVICES","devices":[\#(device)]}"#, device])
  }

  @Test func devicesOtherThanTheWatchedOneAreLeftOut() {
    var other = ServedEpoch.device
    (other.path, other.protocolName, other.baud) = ("/dev/ttyUSB0", "nmea", 9600)
    var client = ServedClient(devices: [ServedEpoch.device, other])
    client.send("?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/ttyUSB1\"};\n")
    #expect(client.lines() == [#"{"class":"ERROR","message":"No such device as /dev/ttyUSB1"}"#])
    client.send("?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/ttyUSB0\"};\n")
    #expect(
      client.actions == [.startUpdates(GPSDUpdates(device: "/dev/ttyUSB0", satellites: true, raw: false, marks: false))]
    )
    #expect(client.classes() == ["DEVICES", "WATCH"])
    client.sendEpoch()
    #expect(client.lines() == [])
  }

  @Test func aLostReceiverIsReported() {
    var client = ServedClient()
    client.send(Self.watchJSON)
    _ = client.lines()
    client.handle(.devices(ServedClient.list([])))
    #expect(client.lines() == [#"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#])
    client.handle(.devices(ServedClient.list([ServedEpoch.device])))
    let found = client.lines()
    #expect(found.count == 1 && found[0].value("activated") == "\"2026-03-01T12:34:56.000Z\"")
  }

  @Test func aLostPositionIsNotRepeated() {
    var client = ServedClient()
    client.send(Self.watchJSON)
    client.sendEpoch()
    _ = client.lines()
    client.handle(.lost)
    let lost = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#
    #expect(client.lines() == [lost])
    client.wait(.seconds(3))
    #expect(client.lines() == [lost, lost, lost])
    client.sendEpoch()
    #expect(client.classes() == ["SKY", "GST", "TPV"])
    client.wait(.seconds(10))
    #expect(client.lines() == [])
  }

  @Test func receiversAreReadOnly() {
    var client = ServedClient()
    client.send("?DEVICE={\"path\":\"/dev/ttyACM0\",\"hexdata\":\"b562\"}\n")
    #expect(client.lines() == [#"{"class":"ERROR","message":"locationd: receivers are read-only here"}"#])
    client.send("?DEVICE={\"bps\":9600}\n")
    #expect(client.lines()[0].value("bps") == "115200")
    client.send("?DEVICE={\"path\":\"/etc/passwd\"}\n")
    #expect(client.lines() == [#"{"class":"ERROR","message":"No such device as /etc/passwd"}"#])
  }

  @Test func errorsAreJSON() {
    var client = ServedClient()
    client.send("?\"\\\u{1}é\n?WATCH={\"json\":3};\n")
    #expect(
      client.lines().prefix(2) == [
        #"{"class":"ERROR","message":"Unrecognized request '?\"\\\u0001??'"}"#,
        #"{"class":"ERROR","message":"Invalid WATCH: a value has the wrong type"}"#,
      ])
  }

  @Test func requestsWithoutALineEndAreCarriedOutAfterSilence() {
    var client = ServedClient()
    client.send("?WATCH={\"enable\":true,\"json\":true}")
    #expect(client.session.nextDeadline == client.now + .milliseconds(50))
    client.wait(.milliseconds(49))
    #expect(client.lines() == [])
    client.wait(.milliseconds(1))
    #expect(client.classes() == ["DEVICES", "WATCH"])
    // The rest of the same request.
    client.send(";\n?POLL;\n")
    #expect(client.classes() == ["POLL"])
  }

  @Test func requestsAreLimitedAndNotLost() {
    var client = ServedClient()
    client.send(String(repeating: "?VERSION;\n", count: 30))
    #expect(client.lines().count == 20)
    #expect(!client.session.isReading)
    client.wait(.milliseconds(600))
    #expect(client.lines().count == 10)
    #expect(client.session.isReading)
  }

  @Test func foreignAndOverlongInputIsRefused() {
    var browser = ServedClient()
    #expect(browser.send("POST / HTTP/1.1\r\n\r\n?WATCH={\"json\":true}\n") == [.close(.foreign)])
    #expect(browser.lines() == [] && browser.session.isOver && browser.session.nextDeadline == nil)
    var long = ServedClient()
    long.send(Self.watchJSON)
    _ = long.lines()
    #expect(long.send("?" + String(repeating: "x", count: 2000)) == [.stopUpdates, .close(.tooLong)])
    #expect(long.lines() == [#"{"class":"ERROR","message":"Request too long"}"#])
  }

  @Test func idleClientsAreClosedAndWatchersAreNot() {
    var idle = ServedClient()
    idle.wait(.seconds(600))
    idle.send("?VERSION;\n")
    idle.wait(.seconds(899))
    #expect(idle.actions == [])
    idle.wait(.seconds(1))
    #expect(idle.actions == [.close(.idle)])
    var watcher = ServedClient()
    watcher.send(Self.watchJSON)
    watcher.wait(.seconds(3600))
    #expect(watcher.actions == [.startUpdates(Self.updates)])
  }
}
