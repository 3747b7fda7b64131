import Geodesy
import Positioning
import Testing
import WireFormats

@Suite struct ScanExecutorTests {
  private let start = ScanSample.start

  private func order(_ interface: UInt32 = 3, _ frequencies: [UInt32] = [2412]) throws -> ScanRequest {
    try #require(ScanRequest(interface: interface, frequencies: frequencies))
  }

  private func answer(_ sequence: UInt32, _ message: NetlinkMessage) -> ScanExecutor.Input {
    .received(NetlinkEnvelope(sequence: sequence, portID: 1, isInterrupted: false), message)
  }

  @Test func twoOrders() throws {
    var commission = ScanExecutor()
    #expect(
      try commission.handle(.ordered(order(), client: 1), at: start) == [.send(NetlinkRequest.family(sequence: 1))])
    #expect(try commission.handle(.ordered(order(4, []), client: 2), at: start).isEmpty)
    #expect(
      commission.handle(answer(1, .family(ScanSample.family)), at: start) == [
        .send(NetlinkRequest.scan(family: 28, sequence: 2, interface: 3, frequencies: [2412])),
        .send(NetlinkRequest.scan(family: 28, sequence: 3, interface: 4, frequencies: [])),
      ])
    #expect(commission.handle(answer(1, .acknowledged), at: start).isEmpty)
    #expect(commission.handle(answer(3, .refused(errno: 16)), at: start) == [.answer(client: 2, errno: 16)])
    #expect(commission.handle(answer(2, .acknowledged), at: start) == [.answer(client: 1, errno: 0)])
    #expect(commission.nextDeadline == nil)
    // The family number is known by now.
    #expect(try commission.handle(.ordered(order(), client: 3), at: start).count == 1)
  }

  @Test func aKernelWithoutWiFi() throws {
    var commission = ScanExecutor()
    _ = try commission.handle(.ordered(order(), client: 1), at: start)
    #expect(commission.handle(answer(1, .refused(errno: 2)), at: start) == [.answer(client: 1, errno: 95)])
    // The kernel may have Wi-Fi the next time.
    #expect(
      try commission.handle(.ordered(order(), client: 2), at: start) == [.send(NetlinkRequest.family(sequence: 2))])
  }

  @Test func silence() throws {
    var commission = ScanExecutor()
    _ = try commission.handle(.ordered(order(), client: 1), at: start)
    #expect(commission.nextDeadline == start + .seconds(2))
    #expect(commission.handle(.deadlinePassed, at: start + .seconds(1)).isEmpty)
    #expect(commission.handle(.deadlinePassed, at: start + .seconds(2)) == [.answer(client: 1, errno: 110)])
    _ = try commission.handle(.ordered(order(), client: 2), at: start)
    _ = commission.handle(answer(2, .family(ScanSample.family)), at: start)
    #expect(commission.handle(.deadlinePassed, at: start + .seconds(2)) == [.answer(client: 2, errno: 110)])
    #expect(commission.handle(answer(3, .acknowledged), at: start).isEmpty && commission.nextDeadline == nil)
  }

  @Test func itsBytes() throws {
    let order = try order(258, [2412, 5180])
    #expect(
      order.bytes.count == 264
        && Array(order.bytes.prefix(16)) == [2, 1, 0, 0, 2, 0, 0, 0, 0x6C, 9, 0, 0, 0x3C, 0x14, 0, 0])
    let again = ScanRequest(order.bytes.span)
    #expect(again == order)
    let most = try self.order(1, (0..<64).map { 2412 + $0 })
    let mostAgain = ScanRequest(most.bytes.span)
    #expect(mostAgain == most)
    for errno in [0, 1, 16, 110] as [Int32] {
      let read = ScanRequest.errno(ScanRequest.answer(errno: errno).span)
      #expect(read == errno)
    }
    let none = ScanRequest.errno([0, 0, 0, 0x80].span)
    #expect(none == nil)
  }

  @Test func whatIsNone() throws {
    #expect(
      ScanRequest(interface: 0, frequencies: []) == nil && ScanRequest(interface: 1 << 31, frequencies: []) == nil)
    #expect(
      ScanRequest(interface: 1, frequencies: [399]) == nil && ScanRequest(interface: 1, frequencies: [71_001]) == nil)
    #expect(ScanRequest(interface: 1, frequencies: [UInt32](repeating: 2412, count: 65)) == nil)
    let good = try order().bytes
    for (place, value) in [(0, 0), (4, 65), (7, 1), (8, 0), (12, 1), (263, 1)] as [(Int, UInt8)] {
      var bytes = good
      bytes[place] = value
      if place == 0 { bytes[1] = 0 }
      if place == 8 { bytes[9] = 0 }
      let order = ScanRequest(bytes.span)
      #expect(order == nil)
    }
    let short = ScanRequest(good.span.extracting(0..<263))
    #expect(short == nil)
  }
}
