import Fleet
import FleetDestinations
import NetworkSources
import Testing

/// The messages between the service and the fleet helper.
@Suite struct FleetHelperMessageTests {
  private static var message: FleetMessage {
    var message = FleetMessage(
      id: 7, kind: .event, method: .publish, target: "owntracks/fleet/pi/event", body: Array("{}".utf8),
      contentType: "application/json")
    (message.isRetained, message.qos) = (true, .exactlyOnce)
    return message
  }

  private static var connection: FleetConnection {
    var connection = FleetConnection(
      kind: .mqtt, server: HostAndPort(host: "2001:db8::1", port: 8883), isEncrypted: true)
    connection.clientID = "locationd-1a2b3c4d"
    connection.keepAlive = 900
    connection.account = "pi"
    connection.password = Array("secret".utf8)
    connection.authorities = [UInt8](repeating: 65, count: FleetCredential.longestContent)
    connection.certificate = [1]
    connection.key = [2]
    connection.encryptionSecret = [3]
    connection.will = message
    connection.commandTopic = "owntracks/fleet/pi/cmd"
    connection.headers = ["X-Limit-U: fleet", "X-Limit-D: pi"]
    connection.window = 5
    return connection
  }

  private static var messages: [FleetHelperMessage] {
    var session = FleetSession(version: 5)
    (session.receiveMaximum, session.maximumPacket, session.maximumQoS) = (20, 1 << 20, .atLeastOnce)
    session.canRetain = false
    return [
      .connect(connection), .connect(FleetConnection(kind: .http, server: connection.server, isEncrypted: false)),
      .send(message), .close, .connected(session), .connected(FleetSession(version: 0)),
      .answered(.max, .mqtt(0x87)), .answered(0, .http(503, retryAfter: 120)),
      .answered(1, .http(200, retryAfter: nil)),
      .command([1, 2, 3]), .ended(.closed, nil), .ended(.notAuthorized, .mqtt(0x87)),
    ] + FleetProblem.allCases.map { .ended($0, nil) }
  }

  @Test(arguments: [1, 2, 3, 5, 4099, 1 << 20]) func messagesSurviveEveryCut(step: Int) {
    let messages = Self.messages
    let bytes = messages.flatMap(\.bytes)
    var reader = FleetHelperMessageReader()
    var read: [FleetHelperMessage] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      read += reader.push(bytes[start..<min(start + step, bytes.count)])
    }
    #expect(read == messages && !reader.isMalformed)
  }

  /// The helper ends a connection with more messages in flight: the outbox must never have so many, with messages of the state besides.
  @Test func theHelpersWindowHasRoomForTheOutboxAndTheState() {
    for kind in FleetKind.allCases {
      let connection = FleetConnection(kind: kind, server: Self.connection.server, isEncrypted: true)
      #expect(Int(connection.window) >= kind.window + kind.stateWindow && connection.window <= 64)
    }
    #expect(FleetOutbox.Limits().window == FleetKind.mqtt.window)
  }

  @Test func theLargestConnectionFits() {
    var connection = Self.connection
    let most = [UInt8](repeating: 1, count: FleetCredential.longestContent)
    (connection.password, connection.authorities, connection.certificate) = (most, most, most)
    (connection.key, connection.encryptionSecret) = (most, most)
    connection.will?.body = [UInt8](repeating: 2, count: FleetMessage.longestBody)
    var reader = FleetHelperMessageReader()
    #expect(reader.push(FleetHelperMessage.connect(connection).bytes[...]) == [.connect(connection)])
  }

  @Test(
    arguments: [
      // An unknown kind, too long, content behind the end, no content, an unknown problem, a flag that is neither.
      [0, 0, 0, 0], [8, 0, 0, 0], [3, 1, 0, 8], [3, 1, 0, 0, 1], [5, 0, 0, 0], [7, 1, 0, 0, 99],
      [4, 8, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 9],
    ] as [[UInt8]])
  func othersAreRefused(bytes: [UInt8]) {
    var reader = FleetHelperMessageReader()
    #expect(reader.push((FleetHelperMessage.close.bytes + bytes)[...]) == [.close])
    #expect(reader.isMalformed)
    #expect(reader.push(FleetHelperMessage.close.bytes[...]).isEmpty)
  }

  /// A message with any byte changed is read as some message that is written the same, or is refused.
  @Test func everyChangedByteIsReadOrRefused() {
    for message in Self.messages where message.bytes.count < 1000 {
      let bytes = message.bytes
      for index in bytes.indices {
        for value: UInt8 in [0, 1, 0x0A, 0x7F, 0xFF] {
          var changed = bytes
          changed[index] = value
          var reader = FleetHelperMessageReader()
          for read in reader.push(changed[...]) { #expect(changed.starts(with: read.bytes)) }
        }
      }
    }
  }

  @Test func aLineBreakCannotReachATopicOrAHeader() {
    var message = Self.message
    message.target = "a\nb"
    var connection = Self.connection
    connection.headers = ["X: a\r\nY: b"]
    for bad: FleetHelperMessage in [.send(message), .connect(connection)] {
      var reader = FleetHelperMessageReader()
      #expect(reader.push(bad.bytes[...]).isEmpty && reader.isMalformed)
    }
  }
}
