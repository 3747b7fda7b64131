import LocationIPC
import LocationPolicy
import TestSupport
import Testing

@Suite struct LaunchMessageTests {
  private static let orders: [LaunchRequest] = {
    let token = CommandToken(high: 0x0123_4567_89AB_CDEF, low: .max - 1)
    let variables = [
      ("LOCATION_EVENT", "enter"), ("LOCATION_REGION", "it's \"home\"\n$(id) `id` \u{1F3E0}"), ("LOCATION_0", ""),
    ]
    let longest = (0..<32).map {
      ("LOCATION_" + String(repeating: "A", count: 50) + "\($0)", String(repeating: "é", count: 512))
    }
    return [
      (LaunchCommand(token, variables.compactMap { LaunchVariable($0, $1) }, input: Array(0...255))).map {
        .command($0)
      },
      (LaunchCommand(token, [], input: [])).map { .command($0) },
      (LaunchCommand(
        token, longest.compactMap { LaunchVariable($0, $1) }, input: [UInt8](repeating: 0xFF, count: 16_384)))
        .map { .command($0) },
      DesktopNotification(title: "Arrived", body: String(repeating: "<b>&", count: 512)).map { .notification($0) },
    ].compactMap(\.self).enumerated().map { LaunchRequest(run: $0 == 0 ? .max : UInt64($0), $1) }
  }()

  private static let answers: [LaunchResponse] =
    ([
      .started, .ended(.exited(0)), .ended(.exited(255)), .ended(.killed(signal: 64)), .ended(.outOfTime),
      .unknownCommand,
      .cannotStart(errno: 2), .shown, .cannotShow(.noDesktop), .cannotShow(.noProgram), .cannotShow(.failed),
    ] as [LaunchResponse.Content]).enumerated().map { LaunchResponse(run: UInt64($0), $1) }

  private func order(_ payload: some Sequence<UInt8>) throws(MessageError) -> LaunchRequest {
    try LaunchRequest(Array(payload).span)
  }

  private func answer(_ payload: some Sequence<UInt8>) throws(MessageError) -> LaunchResponse {
    try LaunchResponse(Array(payload).span)
  }

  @Test func whatIsWrittenIsReadTheSameHoweverItWasCut() throws {
    #expect(Self.orders.count == 4)
    for size in [1, 7, 4096, .max] {
      var reader = FrameReader(limit: LaunchRequest.limit)
      var read: [LaunchRequest] = []
      var rest = Self.orders.flatMap(\.frame)[...]
      while !rest.isEmpty {
        reader.push(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let payload = try reader.next() { read.append(try order(payload)) }
      }
      #expect(read == Self.orders)
    }
    for answer in Self.answers {
      #expect(answer.frame.count - 4 <= LaunchResponse.limit)
      #expect(try self.answer(answer.frame.dropFirst(4)) == answer)
    }
  }

  @Test func whatIsShortIsNoOrder() {
    for whole in Self.orders.prefix(2) {
      let payload = Array(whole.frame.dropFirst(4))
      for end in 0..<payload.count { #expect(throws: MessageError.self) { try order(payload[..<end]) } }
    }
  }

  /// Each bit of an order is flipped: the order is rejected, or is within its bounds.
  @Test func whatIsBrokenIsRefusedOrWithinBounds() {
    let payload = Array(Self.orders[0].frame.dropFirst(4))
    for bit in 0..<payload.count * 8 {
      var broken = payload
      broken[bit / 8] ^= 1 << UInt8(bit % 8)
      guard case .command(let command)? = (try? order(broken))?.content else { continue }
      #expect(command.variables.allSatisfy { $0.name.hasPrefix("LOCATION_") })
    }
  }

  @Test func aVariableThatWouldBeCodeIsNoOrder() {
    var payload = Array(Self.orders[0].frame.dropFirst(4))
    let name = Array("LOCATION_EVENT".utf8)
    guard let at = (0..<payload.count - name.count).first(where: { Array(payload[$0..<$0 + name.count]) == name })
    else {
      Issue.record("no such name")
      return
    }
    payload.replaceSubrange(at..<at + name.count, with: Array("LD_PRELOAD\0\0\0\0".utf8))
    #expect(throws: MessageError.self) { try order(payload) }
  }

  @Test func anyBytesAreRefusedOrReadTheSameAgain() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in UInt8.random(in: 0..<40, using: &generator)
      }
      if let order = try? self.order(bytes) {
        #expect((try? self.order(order.frame.dropFirst(4))) == order)
      }
      if let answer = try? self.answer(bytes) {
        #expect((try? self.answer(answer.frame.dropFirst(4))) == answer)
      }
    }
  }
}
