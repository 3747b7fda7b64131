import Geodesy
import NetworkSources
import Testing

/// The messages between the service and the network helper.
@Suite struct NetworkMessageTests {
  private static let orders = [
    "tcp://gps.example.org:2101", "tls://[2001:db8::1]:443",
    "send-udp://192.0.2.1:10110", "send-udp://[ff02:0:0:0:0:0:0:1]:10110?broadcast=yes",
    "accept-tcp-listen://192.168.1.2:2947?from=192.168.1.0/24,fd00:0:0:0:0:0:0:0/8",
    "tcp-listen://0.0.0.0:5000?from=192.168.1.0/24,10.0.0.7/32", "udp://127.0.0.1:10110",
  ]

  @Test(arguments: orders) func ordersAreReadAsTheyAreWritten(text: String) throws {
    let order = try #require(NetworkOrder(text))
    #expect(order.text == text)
  }

  @Test(arguments: [
    "", "tcp://", "tcp://host", "tls://host:443/path", "udp://0.0.0.0:1", "ntrip://c/M", "gpsd:localhost", "rtcm:/x",
    "send://192.0.2.1:10110", "send-udp://host:1", "send-udp://224.0.0.1:1",
    "accept-tcp-listen://127.0.0.1:2947", "accept-udp://192.168.1.2:1?from=192.168.1.0/24", "accept-tcp://host:1",
  ])
  func otherTextIsNoOrder(text: String) { #expect(NetworkOrder(text) == nil) }

  @Test func messagesSurviveEveryCut() throws {
    let order = try #require(NetworkOrder(Self.orders[5]))
    let messages: [NetworkMessage] =
      [.order(order), .connected, .data([1, 2, 3]), .data([UInt8](repeating: 7, count: NetworkMessage.longest))]
      + [.noSuchHost, .unreachable, .notTrusted, .tooLate, .closed, .silent].map { .failed($0) } + [
        .dropped(0xFFFE), .accepted,
      ]
    let bytes = messages.flatMap(\.bytes)
    for step in [1, 2, 3, 7, 4099, bytes.count] {
      var reader = NetworkMessageReader()
      var read: [NetworkMessage] = []
      for start in stride(from: 0, to: bytes.count, by: step) {
        read += reader.push(bytes[start..<min(start + step, bytes.count)])
      }
      #expect(read == messages, "\(step)")
    }
  }

  @Test func manyBytesBecomeSeveralMessages() throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    var reader = NetworkMessageReader()
    let messages = reader.push(NetworkMessage.pieces(of: bytes[...])[...])
    #expect(messages.count == 3)
    var joined: [UInt8] = []
    for case .data(let part) in messages { joined += part }
    #expect(joined == bytes)
  }

  @Test(arguments: [
    [0, 0, 0], [9, 0, 0], [2, 0, 0], [2, 1, 0x10], [3, 1, 0, 0], [4, 1, 0, 0], [1, 1, 0, 0x78], [5, 1, 0, 0],
  ])
  func othersAreRefused(bytes: [UInt8]) {
    var reader = NetworkMessageReader()
    #expect(reader.push(bytes[...]).isEmpty && reader.isMalformed)
    // Messages before it are read, however the bytes are cut; after it, nothing is.
    var later = NetworkMessageReader()
    #expect(later.push((NetworkMessage.connected.bytes + bytes)[...]) == [.connected] && later.isMalformed)
    #expect(later.push(NetworkMessage.connected.bytes[...]).isEmpty)
  }

  @Test func theRateIsBounded() {
    var limit = ByteRateLimit()
    var now = Instant(nanoseconds: 0)
    var total = 0
    for _ in 0..<10_000 where now < Instant(nanoseconds: 10_000_000_000) {
      total += 4096
      now = now + limit.take(4096, at: now)
    }
    // One burst, and ten seconds.
    #expect((2_000_000...2_300_000).contains(total), "\(total)")
    #expect(limit.take(1, at: now + .seconds(5)) == .zero)
  }

  @Test(arguments: ["192.0.2.1", "0.0.0.0", "255.255.255.255", "ff02::1", "fe80::1", "2001:db8::1"])
  func addressesAreWritten(text: String) throws {
    let address = try #require(IPAddress(parsing: text))
    #expect(IPAddress(parsing: address.text) == address)
    if address.family == .ipv4 { #expect(address.text == text) }
  }
}
