import GNSSReceiver
import Geodesy
import TestSupport
import Testing
import WireFormats

/// A receiver that sends any answer at any time: nothing ends the service, few bytes are written to the receiver, and the data
/// kept about it is bounded.
@Suite struct HostileReceiverTests {
  private static func frame(_ random: inout SplitMix64) -> [UInt8] {
    let types: [(UInt8, UInt8)] = [
      (0x05, 0x00), (0x05, 0x01), (0x06, 0x00), (0x06, 0x01), (0x06, 0x08), (0x06, 0x11), (0x06, 0x24), (0x06, 0x3B),
      (0x06, 0x8A), (0x06, 0x8B), (0x0A, 0x04), (0x0B, 0x02), (0x0B, 0x30), (0x0B, 0x31), (0x13, 0x60), (0x13, 0x80),
      (0x27, 0x03), (0x01, 0x07), (0x01, 0x61),
    ]
    let (messageClass, id) = types[Int.random(in: 0..<types.count, using: &random)]
    let length =
      [0, 1, 2, 4, 6, 8, 9, 10, 20, 36, 40, 44, 70, 92, 100, 176, 192, 300].randomElement(using: &random) ?? 0
    var payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Often the expected answer, with random content.
    switch (messageClass, Bool.random(using: &random)) {
    case (0x05, true): payload = [0x06, [0x00, 0x01, 0x08, 0x24, 0x8A, 0x8B].randomElement(using: &random) ?? 0]
    case (0x06, true) where id == 0x8B:
      payload = [1, 0, 0, 0] + ([[0x07, 0, 0x91, 0x20], [0x84, 0, 0x91, 0x20]].randomElement(using: &random) ?? [])
      payload.append(UInt8.random(in: 0...255, using: &random))
    case (0x06, true) where id == 0x01:
      payload = [1, [0x07, 0x02, 0x61].randomElement(using: &random) ?? 0]
      payload += (0..<6).map { _ in UInt8.random(in: 0...255, using: &random) }
    default: break
    }
    return UBXFrame.encode(class: messageClass, id: id, payload: payload)
  }

  private static func version(_ protocolVersion: String) -> [UInt8] {
    var payload = Array("SPG 4.04".utf8) + [UInt8](repeating: 0, count: 22) + Array("00190000".utf8) + [0, 0]
    let text = Array("PROTVER=\(protocolVersion)".utf8)
    payload += text + [UInt8](repeating: 0, count: 30 - text.count)
    return UBXFrame.encode(class: 0x0A, id: 0x04, payload: payload)
  }

  @Test(arguments: ["7.03", "14.00", "18.00", "23.01", "32.01", "nan", "99999"], 0..<6)
  func nothingItSaysDoesHarm(protocolVersion: String, seed: UInt64) {
    var random = SplitMix64(seed: seed &* 7919)
    var session = ReceiverSession(
      SessionBench.settings {
        $0.requestedConfiguration = ReceiverConfigurationRequest(
          dynamicModel: .automotive, rateHertz: 5, sparingPeriod: .seconds(3))
        $0.identity = "usb-x"
      })
    var now = SessionBench.powerOn
    var written = 0
    var storeAssistance = 0
    func receive(_ actions: [ReceiverSession.Action]) {
      for action in actions {
        switch action {
        case .write(let bytes): written += bytes.count
        case .recallSettings: receive(session.handle(.restore(nil), at: now))
        case .storeAssistance(let data):
          storeAssistance += 1
          #expect(data.bytes.count <= AssistanceData.maximumSize)
        case .setSpeed, .epoch, .identified, .recall, .persistRestore, .released, .speedFound, .stateChanged,
          .nothingReceived,
          .leapSeconds, .nextPulse, .reopen:
          break
        }
      }
    }
    receive(session.handle(.opened(baud: nil), at: now))
    let version = Self.version(protocolVersion)
    receive(session.receive(version.span, at: now))
    var turns = 0
    let end = now + .seconds(300)
    while now < end {
      turns += 1
      now = now + .milliseconds(Int64.random(in: 1...400, using: &random))
      if let deadline = session.nextDeadline, deadline <= now { receive(session.handle(.wake, at: now)) }
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        receive(session.handle(.configure(Bool.random(using: &random) ? ReceiverConfigurationRequest() : nil), at: now))
      case 1:
        receive(session.handle(.configure(ReceiverConfigurationRequest(dynamicModel: .sea, rateHertz: 25)), at: now))
      case 2: receive(session.handle(.release, at: now))
      case 3: receive(session.handle(.help(ReceiverAssistance()), at: now))
      case 4: receive(session.handle(.powerDown(.seconds(Int64.random(in: 0...5, using: &random))), at: now))
      case 5: receive(session.handle(.wakeUp, at: now))
      default:
        let bytes = Self.frame(&random)
        let cut = Int.random(in: 0...bytes.count, using: &random)
        for piece in [Array(bytes[..<cut]), Array(bytes[cut...])] { receive(session.receive(piece.span, at: now)) }
      }
    }
    #expect(turns > 1000)
    // Only one poll is pending at a time, and each is repeated only a few times: far less than the capacity of a line.
    #expect(written < 300 * 200, "\(written) bytes in five minutes")
    #expect(written > 0 && storeAssistance <= 12)
  }
}
