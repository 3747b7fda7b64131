import LocationdConfiguration
import LocationdService
import Testing

/// Which of several values of a setting applies, and where it comes from.
@Suite struct PrecedenceTests {
  private typealias Layers = ServiceConfiguration.Layers

  private static func file(
    _ path: String, _ assignments: (section: String, key: String, value: String)...
  ) -> ConfigurationText {
    var text = ConfigurationText(path: path)
    text.assignments = assignments.enumerated().map {
      ConfigurationText.Assignment(
        section: $1.section, key: $1.key, value: $1.value, line: $0 + 1)
    }
    return text
  }

  /// For each setting a default and five other values, from the file up to the option.
  private static let values: [SettingKey: [String]] = [
    .source: ["wifi", "simulator", "serial:/dev/ttyS1", "gpsd:localhost:1", "replay:/tmp/a"],
    .prefer: ["a", "b", "c", "a, b", "b, c"],
    .failoverAfter: ["5s", "10s", "1m", "30", "2m"],
    .gpsd: ["off", "localhost:1", "localhost:2", "localhost:3", "localhost:4"],
    .fleet: ["off", "on", "off", "on", "off"],
    .gpsdSocket: ["/a", "/b", "/c", "/d", "/e"],
    .corrections: ["a", "b", "rtcm:/c", "d", "off"],
    .correctedReceivers: ["a", "/dev/b", "c", "a, b", "b"],
    .gpsdListen: ["on", "off", "127.0.0.1:1", "[::1]:2", "2950"],
    .nmeaListen: ["on", "off", "127.0.0.1:1, [::1]:1", "127.1.2.3:4", "10111"],
    .gpsdAllow: ["192.0.2.1", "off", "192.0.2.0/24", "192.0.2.0/24, fd00::/8", "off"],
    .nmeaAllow: ["192.0.2.1", "off", "192.0.2.0/24", "192.0.2.0/24, fd00::/8", "off"],
    .nmeaSend: [
      "udp://192.0.2.1:1", "off", "udp://192.0.2.1:1, udp://[2001:db8::1]:2", "udp://224.0.0.1:3?broadcast=yes", "off",
    ],
    .wifi: ["off", "on", "no", "yes", "0"],
    .wifiProvider: ["http://a", "http://b", "http://c", "http://d", "http://e"],
    .wifiTiles: ["/a", "/b", "http://c", "/d", "/e"],
    .placesProvider: [
      "nominatim:http://a", "off", "photon:https://b", "pelias:https://c/v1?api_key=1", "nominatim:https://d/e/",
    ],
    .placesContact: ["a@b.example", "https://c.example", "d@e.example", "f@g.example", "http://h.example/i"],
    .time: ["chrony", "off", "shm:2", "chrony, shm:3", "off"],
    .timeOffset: ["0.1", "auto", "0.25", "-0.05", "0"],
    .timePulse: ["off", "auto", "/dev/pps0", "/dev/pps1", "off"],
    .timeSocket: ["/a", "/b", "/c", "/d", "/e"],
    .setClock: ["on", "off", "yes", "no", "1"],
    .regions: ["1", "2", "3", "4", "5"],
    .led: ["/a", "/b", "/c", "/d", "/e"],
    .logLevel: ["error", "warning", "notice", "debug", "error"],
    .socket: ["/a", "/b", "/c", "/d", "/e"],
    .state: ["/a", "/b", "/c", "/d", "/e"],
    .agents: ["/a", "/b", "/c", "/d", "/e"],
  ]

  @Test(arguments: SettingKey.allCases) func theHigherLayerApplies(key: SettingKey) throws {
    let values = try #require(Self.values[key])
    var layers = Layers()
    let receivers = Self.file(
      "/r", ("receiver a", "port", "/dev/a"), ("receiver b", "port", "/dev/b"), ("receiver c", "port", "/dev/c"))
    layers.files = [receivers]
    #expect(ServiceConfiguration(layers).entry(key.name)?.value == key.usualText)
    #expect(ServiceConfiguration(layers).entry(key.name)?.origin == .builtIn)

    var expected: [(String, SettingOrigin)] = []
    layers.files = [receivers, Self.file("/etc/locationd.conf", ("", key.name, values[0]))]
    let main = ServiceConfiguration(layers)
    expected.append((values[0], .file(path: "/etc/locationd.conf", line: 1)))
    layers.files.append(Self.file("/etc/locationd.conf.d/10.conf", ("locationd", key.name, values[1])))
    let dropIn = ServiceConfiguration(layers)
    expected.append((values[1], .file(path: "/etc/locationd.conf.d/10.conf", line: 1)))
    layers.environmentFile = EnvironmentFileText(
      path: "/etc/default/locationd", Array("# old\n\(key.variable)=\"\(values[2])\"\n".utf8))
    let old = ServiceConfiguration(layers)
    expected.append(
      (values[2], .environmentFile(path: "/etc/default/locationd", line: 2, variable: key.variable)))
    layers.variables = [key.variable: values[3]]
    let variable = ServiceConfiguration(layers)
    expected.append((values[3], .variable(key.variable)))
    layers.options = [(key, "--option", values[4])]
    let option = ServiceConfiguration(layers)
    expected.append((values[4], .option("--option")))

    for (configuration, (value, origin)) in zip([main, dropIn, old, variable, option], expected) {
      #expect(configuration.entry(key.name)?.value == value)
      #expect(configuration.entry(key.name)?.origin == origin)
      #expect(configuration.problems == [])
      // The settings are those that this text alone gives.
      var alone = ServiceSettings()
      alone.receivers.receivers = configuration.settings.receivers.receivers
      try alone.set(key, to: value)
      #expect(configuration.settings == alone)
    }
  }

  @Test func anEmptyValueIsTheDefaultAgain() {
    var layers = Layers()
    layers.files = [
      Self.file("/a", ("", "wifi", "off"), ("", "regions", "5")),
      Self.file("/b", ("", "wifi", ""), ("", "regions", "")),
    ]
    let configuration = ServiceConfiguration(layers)
    #expect(configuration.settings == ServiceSettings())
    #expect(configuration.entry("wifi")?.origin == .builtIn)
  }

  /// A typing error in a higher layer does not hide the value below it.
  @Test func aValueThatIsNotValidIsReportedAndTheOneBelowApplies() {
    var layers = Layers()
    layers.files = [Self.file("/etc/locationd.conf", ("", "regions", "7"), ("", "failover-after", "soon"))]
    layers.variables = ["LOCATIOND_REGIONS": "many", "LOCATIOND_GPSD": "localhost:none"]
    let configuration = ServiceConfiguration(layers)
    #expect(configuration.settings.mostRegions == 7)
    #expect(configuration.settings.receivers.failoverAfter == .seconds(3))
    #expect(
      configuration.problems.map(\.sentence) == [
        "/etc/locationd.conf, line 2: failover-after is not a time between 1 s and 1 h, and is ignored: use a value such as 10s or 2m.",
        "LOCATIOND_GPSD is not an address, and is ignored: set it to HOST:PORT, or to off to ignore gpsd.",
        "LOCATIOND_REGIONS is not a number between 1 and 100000000, and is ignored: use a value such as 1000000.",
      ])
    #expect(configuration.problems.allSatisfy { $0.kind == .invalid })
  }

  @Test func theOldVariableForDebuggingIsALevelBelowTheNewOne() {
    var layers = Layers()
    layers.variables = ["LOCATIOND_DEBUG": "1"]
    #expect(ServiceConfiguration(layers).settings.logLevel == .debug)
    #expect(ServiceConfiguration(layers).entry("log-level")?.origin == .variable("LOCATIOND_DEBUG"))
    layers.variables["LOCATIOND_LOG_LEVEL"] = "warning"
    #expect(ServiceConfiguration(layers).settings.logLevel == .warning)
  }

  @Test func receiversOfAllFilesAreOneList() {
    var layers = Layers()
    layers.files = [
      Self.file(
        "/a", ("receiver \"roof\"", "id", "usb-1"), ("receiver roof", "port", "/dev/ttyACM0"), ("", "source", "roof")),
      Self.file(
        "/b", ("receiver roof", "port", ""), ("receiver boat", "port", "/dev/ttyS0"), ("", "prefer", "roof ,boat")),
    ]
    let configuration = ServiceConfiguration(layers)
    let roof = NamedReceiver(name: "roof", id: "usb-1")
    #expect(configuration.settings.receivers.receivers == [roof, NamedReceiver(name: "boat", port: "/dev/ttyS0")])
    #expect(configuration.settings.receivers.order == ["roof", "boat"])
    #expect(configuration.settings.source == .receiver(roof))
    #expect(configuration.entry("receiver.roof.id")?.value == "usb-1")
    #expect(configuration.entry("receiver.roof.port") == nil)
    #expect(configuration.problems == [])
  }
}
