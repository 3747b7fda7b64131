import NetworkSources
import Testing

/// Addresses of sources: what is read, and what is refused with which reason.
@Suite struct AddressTests {
  private func error(_ text: String) -> NetworkSourceError? {
    do throws(NetworkSourceError) {
      _ = try NetworkSource(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  private func allows(_ list: AllowList, _ peer: String) -> Bool? { IPAddress(parsing: peer).map { list.allows($0) } }

  private func contains(_ range: AddressRange, _ address: String) -> Bool? {
    IPAddress(parsing: address).map { range.contains($0) }
  }

  @Test func streams() throws {
    guard case .stream(let plain) = try NetworkSource(parsing: "tcp://gps-1.local:10110") else {
      Issue.record("no stream")
      return
    }
    #expect(plain.server == HostAndPort(host: "gps-1.local", port: 10110) && !plain.isWritable)
    let source = try NetworkSource(parsing: "tcp://[fe80::1%eth0]:4000/?write=yes")
    guard case .stream(let open) = source else {
      Issue.record("no stream")
      return
    }
    #expect(open.server.host == "fe80::1%eth0" && open.isWritable)
    #expect(source.text == "tcp://[fe80::1%eth0]:4000")
  }

  @Test func listeners() throws {
    let source = try NetworkSource(parsing: "udp://0.0.0.0:10110?from=192.168.1.0/24,10.0.0.7")
    guard case .listener(let udp) = source else {
      Issue.record("no listener")
      return
    }
    #expect(udp.isDatagram && udp.local.port == 10110)
    #expect(allows(udp.allowed, "192.168.1.200") == true)
    #expect(allows(udp.allowed, "::ffff:192.168.1.200") == true)
    #expect(allows(udp.allowed, "10.0.0.7") == true)
    for other in ["10.0.0.8", "192.168.2.1", "127.0.0.1", "fe80::1"] {
      #expect(allows(udp.allowed, other) == false, "\(other)")
    }
    guard case .listener(let local) = try NetworkSource(parsing: "tcp-listen://[::1]:5000") else {
      Issue.record("no listener")
      return
    }
    #expect(!local.isDatagram && allows(local.allowed, "127.0.0.9") == true)
    #expect(allows(local.allowed, "192.168.1.2") == false)
  }

  @Test func otherKinds() throws {
    #expect(try NetworkSource(parsing: "gpsd:10.0.0.2") == .gpsd(HostAndPort(host: "10.0.0.2", port: 2947)))
    #expect(try NetworkSource(parsing: "gpsd:[::1]:3000") == .gpsd(HostAndPort(host: "::1", port: 3000)))
    #expect(try NetworkSource(parsing: "rtcm:/tmp/a b@c") == .corrections(path: "/tmp/a b@c"))
    let casters: [(String, String, Bool)] = [
      ("ntrip://caster.example.org/BASE_1", "ntrip://caster.example.org:2101/BASE_1", false),
      ("ntrips://caster.example.org:2102/A.B-C", "ntrips://caster.example.org:2102/A.B-C", true),
      ("http://192.0.2.1/M", "ntrip://192.0.2.1:80/M", false), ("https://c/M", "ntrips://c:443/M", true),
    ]
    for (text, canonical, isEncrypted) in casters {
      let source = try NetworkSource(parsing: text)
      #expect(source.text == canonical)
      guard case .caster(let address) = source else {
        Issue.record("no caster")
        continue
      }
      #expect(address.isEncrypted == isEncrypted && address.exposesCredentials == !isEncrypted)
    }
    #expect(try CasterAddress(parsing: "ntrip://caster.example.org").mount == nil)
    #expect(try !CasterAddress(parsing: "ntrip://192.168.4.1:2101/M").exposesCredentials)
  }

  private static let refusals: [(String, NetworkSourceError)] = [
    ("tcp://host", .missingPort(host: "host")), ("tcp://:10", .badHost(":10")),
    ("tcp://host:0", .badPort("0")), ("tcp://host:65536", .badPort("65536")), ("tcp://host:1a", .badPort("1a")),
    ("tcp://fe80::1:10", .badHost("fe80::1:10")), ("tcp://[fe80::1:10", .badHost("[fe80::1:10")),
    ("tcp://host:1/path", .unexpectedPath("/path")), ("tcp://ho st:1", .badCharacter), ("tcp://hóst:1", .badCharacter),
    ("tcp://host:1?from=::1", .unknownOption("from", allowed: ["write"])),
    ("tcp://host:1?write=maybe", .notYesOrNo(option: "write", value: "maybe")),
    ("tcp://host:1?write=yes&write=no", .repeatedOption("write")),
    ("udp://0.0.0.0:10110", .missingRange), ("udp://0.0.0.0:10110?time=yes", .unknownOption("time", allowed: ["from"])),
    ("tcp-listen://[::]:1?from=192.168.1.7/24", .badRange("192.168.1.7/24")),
    ("tcp-listen://[::]:1?from=", .badRange("")), ("tcp-listen://[::]:1?from=1.2.3.4/33", .badRange("1.2.3.4/33")),
    ("udp://gps.local:10110?from=10.0.0.0/8", .notNumeric("gps.local")),
    ("ntrip://caster:2101", .missingMount), ("ntrip://caster:2101/", .missingMount),
    ("ntrip://caster:2101/A/B", .badMount("A/B")), ("ntrips://caster/M", .missingPort(host: "caster")),
    ("ntrip://caster:2101/M?x=1", .unknownOption("x", allowed: [])), ("ftp://host/x", .unknownScheme("ftp://host/x")),
    ("tcp:host:1", .unknownScheme("tcp:host:1")), ("rtcm:", .missingPath), ("gpsd:", .badHost("")),
  ]

  @Test(arguments: AddressTests.refusals)
  func refused(text: String, reason: NetworkSourceError) {
    #expect(error(text) == reason)
    #expect(reason.sentence.hasSuffix(".") && reason.sentence.contains(": "))
  }

  /// Neither the reason nor its sentence repeats a password.
  @Test(arguments: [
    "ntrip://anna:geheim@caster:2101/M", "https://anna:geheim@caster/M",
    "ntrip://caster:2101/M?user=anna:geheim@x", "ntrip://anna:ge/heim@caster:2101/M",
    "ntrip:anna:geheim@caster",
  ])
  func credentials(text: String) throws {
    let reason = try #require(error(text))
    #expect(reason == .credentials)
    #expect(!"\(reason)".contains("heim") && reason.sentence.contains("/etc/locationd/ntrip"))
  }

  /// These sources have no login, so that a file with an account is no remedy.
  @Test(arguments: ["tcp://anna:geheim@host:1", "gpsd:anna:geheim@host", "udp://anna:geheim@0.0.0.0:1"])
  func credentialsOfASourceWithoutLogin(text: String) throws {
    let reason = try #require(error(text))
    #expect(reason == .needlessCredentials)
    #expect(!"\(reason)".contains("heim") && !reason.sentence.contains("/etc/locationd/ntrip"))
  }

  /// What is said of a caster's address does not offer what it refuses.
  @Test func anAddressThatIsNotOneOfACaster() {
    #expect(throws: NetworkSourceError.notACaster("tcp://caster:2101")) {
      try CasterAddress(parsing: "tcp://caster:2101")
    }
    #expect(!NetworkSourceError.notACaster("tcp://caster:2101").sentence.contains("tcp://HOST"))
  }

  @Test func targetsOfDatagrams() throws {
    let list = try DatagramTarget.list(parsing: "udp://192.168.1.20:10110, udp://255.255.255.255:10110?broadcast=yes")
    #expect(list.map(\.text) == ["udp://192.168.1.20:10110", "udp://255.255.255.255:10110?broadcast=yes"])
    #expect(list.map(\.mayBroadcast) == [false, true])
    let refusals: [(String, NetworkSourceError)] = [
      ("udp://boat.example.org:10110", .nameOfTarget("boat.example.org")),
      ("udp://224.0.0.1:1", .groupOfTarget("224.0.0.1")),
      ("udp://255.255.255.255:1", .groupOfTarget("255.255.255.255")), ("udp://[ff02::1]:1", .groupOfTarget("ff02::1")),
      ("tcp://192.0.2.1:1", .notATarget("tcp://192.0.2.1:1")), ("udp://192.0.2.1", .missingPort(host: "192.0.2.1")),
      ("udp://a:b@192.0.2.1:1", .needlessCredentials), ("", .notATarget("")),
      ((1...9).map { "udp://192.0.2.\($0):1" }.joined(separator: ","), .tooManyTargets),
    ]
    for (text, reason) in refusals {
      #expect(throws: reason, "\(text)") { try DatagramTarget.list(parsing: text) }
      #expect(reason.sentence.hasSuffix(".") && reason.sentence.contains(": "))
    }
  }

  @Test func foreignSchemeHidesCredentials() throws {
    let reason = try #require(error("ssh://anna:geheim@host"))
    #expect(!"\(reason) \(reason.sentence)".contains("geheim"))
  }

  @Test func longAddresses() {
    #expect(error("tcp://" + String(repeating: "a", count: 1100) + ":1") == .tooLong)
    let many = Array(repeating: "10.0.0.1", count: 17).joined(separator: ",")
    #expect(error("udp://0.0.0.0:1?from=\(many)") == .tooManyRanges)
  }

  @Test func numericAddresses() throws {
    let valid: [(String, UInt128)] = [
      ("0.0.0.0", 0), ("255.255.255.255", 0xFFFF_FFFF), ("::", 0), ("::1", 1), ("1::", 1 << 112),
      ("2001:db8::8:800:200c:417a", 0x2001_0DB8_0000_0000_0008_0800_200C_417A), ("::13.1.68.3", 0x0D01_4403),
      ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008),
    ]
    for (text, value) in valid { #expect(IPAddress(parsing: text)?.value == value, "\(text)") }
    for text in [
      "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.-4", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
      "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7::8", "fe80::1%eth0", "::1.2.3", "+1::",
    ] {
      #expect(IPAddress(parsing: text) == nil, "\(text)")
    }
    let mapped = try #require(IPAddress(bytes: Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1]))
    #expect(mapped == IPAddress(parsing: "127.0.0.1") && mapped.isLoopback)
    #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    for text in ["10.1.2.3", "172.31.0.1", "192.168.0.1", "169.254.1.1", "100.64.0.1", "fd00::1", "fe80::1", "::1"] {
      #expect(IPAddress(parsing: text)?.isPrivate == true, "\(text)")
    }
    for text in ["11.1.2.3", "172.32.0.1", "192.169.0.1", "100.128.0.1", "2001:db8::1", "fec0::1"] {
      #expect(IPAddress(parsing: text)?.isPrivate == false, "\(text)")
    }
  }

  @Test func ranges() throws {
    let all = try #require(AddressRange(parsing: "::/0"))
    #expect(contains(all, "2001:db8::1") == true)
    #expect(contains(all, "10.0.0.1") == false)
    let half = try #require(AddressRange(parsing: "128.0.0.0/1"))
    #expect(contains(half, "255.0.0.1") == true)
    #expect(contains(half, "127.255.255.255") == false)
    for text in ["10.0.0.1/8", "fd00::1/8", "10.0.0.0/", "10.0.0.0/8/8", "/8", "10.0.0.0/+8", "::/129"] {
      #expect(AddressRange(parsing: text) == nil, "\(text)")
    }
  }
}
