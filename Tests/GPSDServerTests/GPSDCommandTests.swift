import GPSDServer
import Testing

/// The grammar of requests, with the bytes that real clients send.
@Suite struct GPSDCommandTests {
  private static func watch(_ change: (inout GPSDWatchRequest) -> Void) -> GPSDCommand {
    var request = GPSDWatchRequest()
    change(&request)
    return .watch(request)
  }

  private static let seventeenKeys = "abcdefghijklmnopq".map { "\"\($0)\":1" }.joined(separator: ",")
  private static let json = watch { ($0.enable, $0.json) = (true, true) }

  /// Clients and the exact bytes that they send.
  static let clients: [(bytes: String, commands: [GPSDCommand])] = [
    // cgps, gpspipe -w, libgps
    ("?WATCH={\"enable\":true,\"json\":true};\n", [json]),
    // gpsmon
    ("?WATCH={\"raw\":2,\"pps\":true}\r\n", [watch { ($0.raw, $0.pps) = (2, true) }]),
    // gpspipe -r, -R, -w -P -S -2
    ("?WATCH={\"enable\":true,\"nmea\":true};\n", [watch { ($0.enable, $0.nmea) = (true, true) }]),
    ("?WATCH={\"enable\":true,\"raw\":2};\n", [watch { ($0.enable, $0.raw) = (true, 2) }]),
    (
      "?WATCH={\"enable\":true,\"json\":true,\"pps\":true,\"scaled\":true,\"split24\":true};\n",
      [
        watch {
          ($0.enable, $0.json, $0.pps) = (true, true, true)
          ($0.scaled, $0.split24) = (true, true)
        }
      ]
    ),
    // Python gps, gpscsv, gpsdclient
    ("?WATCH={\"enable\":true,\"json\":true}\n", [json]),
    // gpsprof at its end
    (
      "?WATCH={\"enable\":false,\"json\":false,\"timing\":false}\n",
      [watch { ($0.enable, $0.json, $0.timing) = (false, false, false) }]
    ),
    // gpsctl
    ("?DEVICES;\r\n", [.devices]),
    // gpsd-py3
    ("?WATCH={\"enable\":true}\n", [watch { $0.enable = true }]), ("?POLL;\n", [.poll]),
    // gpsd-client-async
    (
      "?WATCH={\"class\":\"WATCH\",\"enable\":true,\"json\":true,\"nmea\":false,\"raw\":0,\"scaled\":false,"
        + "\"timing\":false,\"split24\":false,\"pps\":false,\"device\":null}\r\n",
      [
        watch {
          ($0.enable, $0.json, $0.nmea, $0.raw) = (true, true, false, 0)
          ($0.scaled, $0.timing, $0.split24, $0.pps) = (false, false, false, false)
        }
      ]
    ),
    // Net::GPSD3
    ("?DEVICES;\n?POLL;\n", [.devices, .poll]),
    // collectd
    (
      "?WATCH={\"enable\":true,\"json\":true};\n?WATCH={\"enable\":true,\"json\":true,\"nmea\":false}\r\n",
      [json, watch { ($0.enable, $0.json, $0.nmea) = (true, true, false) }]
    ),
    // Our own client
    (
      "?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/ttyACM0\"};\n",
      [watch { ($0.enable, $0.json, $0.device) = (true, true, "/dev/ttyACM0") }]
    ),
    ("?VERSION;?DEVICE; ?WATCH;\n", [.version, .device, .watchState]),
  ]

  private func read(_ parts: [[UInt8]], isSilent: Bool = false) throws -> [GPSDCommand] {
    var reader = GPSDCommandReader()
    var commands: [GPSDCommand] = []
    for part in parts {
      try reader.append(part)
      while let command = try reader.next(isSilent: isSilent) { commands.append(command) }
    }
    return commands
  }

  private func read(_ text: String, isSilent: Bool = false) throws -> [GPSDCommand] {
    try read([Array(text.utf8)], isSilent: isSilent)
  }

  @Test(arguments: clients) func clientsAreUnderstood(bytes: String, commands: [GPSDCommand]) throws {
    #expect(try read(bytes) == commands)
    let all = Array(bytes.utf8)
    for cut in 1..<all.count { #expect(try read([Array(all[..<cut]), Array(all[cut...])]) == commands) }
    #expect(try read(all.map { [$0] }) == commands)
  }

  /// A split object must not be carried out early, even if the client pauses between its parts.
  @Test(arguments: clients) func silenceBetweenPartsChangesNothing(bytes: String, commands: [GPSDCommand]) throws {
    let all = Array(bytes.utf8)
    for cut in 1..<all.count {
      #expect(try read([Array(all[..<cut]), Array(all[cut...])], isSilent: true) == commands)
    }
  }

  @Test func withoutALineEndARequestWaitsForSilence() throws {
    for text in ["?WATCH={\"enable\":true,\"json\":true}", "?WATCH={\"enable\":true,\"json\":true};"] {
      #expect(try read(text) == [])
      #expect(try read(text, isSilent: true) == [Self.json])
    }
    #expect(try read("?POLL;") == [])
    #expect(try read("?POLL;", isSilent: true) == [.poll])
    for text in ["?POLL", "?WATCH={\"enable\":true", "?WATCH=", "?WAT"] {
      #expect(try read(text, isSilent: true) == [])
    }
  }

  @Test(arguments: [
    ("?WATCH = {\"enable\":true}\n", "?WATCH = {\"enable\":true}"), ("?WATCH\n", "?WATCH"), ("?watch;\r\n", "?watch;"),
    ("?POLL;garbage;?POLL;\n", "garbage;?POLL;"), ("?\n", "?"), ("?AIS;\n", "?AIS;"),
    ("?" + String(repeating: "x", count: 200) + "\n", "?" + String(repeating: "x", count: 79)),
  ]) func whatIsNotKnownIsQuoted(text: String, quote: String) throws {
    #expect(try read(text).last == .unrecognized(quote))
  }

  @Test(arguments: [
    ("?WATCH={\"enable\":1}\n", GPSDObjectProblem.wrongType), ("?WATCH={\"raw\":\"2\"}\n", .wrongType),
    ("?WATCH={\"raw\":1.5}\n", .wrongType), ("?WATCH={\"device\":5}\n", .wrongType), ("?WATCH=\n", .truncated),
    ("?WATCH={\"enable\":true\n", .truncated), ("?WATCH={enable:true}\n", .syntax), ("?WATCH=true;\n", .syntax),
    ("?WATCH={\"a\":{\"b\":{\"c\":1}}}\n", .tooDeep),
    ("?WATCH={\(seventeenKeys)}\n", .tooManyKeys),
  ]) func invalidObjects(text: String, problem: GPSDObjectProblem) throws {
    #expect(try read(text) == [.invalid(.watch, problem)])
  }

  @Test func unknownKeysAndNestedValuesAreIgnored() throws {
    #expect(
      try read("?WATCH={\"x\":{\"json\":false},\"y\":[1,true],\"enable\":true,\"json\":true}\n") == [Self.json])
    #expect(
      try read("?WATCH={\"enable\":true,\"raw\":7,\"json\":true}\n") == [
        Self.watch { ($0.enable, $0.raw, $0.json) = (true, 2, true) }
      ])
  }

  @Test func aDeviceIsNeverChanged() throws {
    var request = GPSDDeviceRequest()
    request.path = "/dev/ttyACM0"
    #expect(
      try read("?DEVICE={\"path\":\"/dev/ttyACM0\",\"bps\":9600,\"native\":1};\n") == [.configureDevice(request)])
    request.sendsBytes = true
    #expect(
      try read("?DEVICE={\"path\":\"/dev/ttyACM0\",\"hexdata\":\"b562\"}\n") == [.configureDevice(request)])
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: x\r\n\r\n?WATCH={\"enable\":true,\"json\":true};\n", "PUT ", "HEAD",
    "OPTIONS", "CONNECT", "DELETE", "PATCH", "\u{16}\u{3}\u{1}", "$GPGGA", "{\"class\":\"WATCH\"}\n", "\r\n GET", ";",
  ]) func foreignProtocolsEndTheConnection(text: String) {
    #expect(throws: GPSDCommandReader.Problem.foreign) { try read(text) }
    #expect(throws: GPSDCommandReader.Problem.foreign) { try read("?nonsense\n" + text) }
  }

  @Test func afterARequestOtherLinesAreIgnored() throws {
    #expect(try read("?POLL;\nGET / HTTP/1.1\r\n$GPGGA\n?VERSION;\n") == [.poll, .version])
    let long = String(repeating: "x?", count: 2000)
    #expect(
      try read([Array("?POLL;\n".utf8), Array(long.utf8), Array("?POLL;\n?VERSION;\n".utf8)]) == [.poll, .version])
  }

  @Test func aLineIsBounded() throws {
    let longest = GPSDCommandReader.longestLine
    let fits = "?" + String(repeating: "x", count: longest - 1)
    #expect(try read(fits + "\n").count == 1)
    #expect(throws: GPSDCommandReader.Problem.tooLong) { try read(fits + "x\n") }
    #expect(throws: GPSDCommandReader.Problem.tooLong) { try read(fits + "x") }
  }
}
