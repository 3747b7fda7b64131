import Geodesy
import LocationIPC
import LocationPolicy
import Testing

/// The encoded messages.
@Suite struct MessageTests {
  private func client(_ payload: ArraySlice<UInt8>) throws -> ClientMessage { try ClientMessage(payload.span) }
  private func server(_ payload: ArraySlice<UInt8>) throws -> ServerMessage { try ServerMessage(payload.span) }

  @Test func everyMessageOfAClientIsReadAsItWasWritten() throws {
    var generator = MessageGenerator(seed: 1)
    for _ in 0..<5000 {
      let message = generator.clientMessage()
      #expect(try client(message.frame[4...]) == message)
    }
  }

  @Test func everyMessageOfTheServiceIsReadAsItWasWritten() throws {
    var generator = MessageGenerator(seed: 2)
    for _ in 0..<5000 {
      let message = generator.serverMessage()
      #expect(try server(message.frame[4...]) == message)
    }
  }

  /// Version 1, byte by byte: next year's daemon must be able to read what is written today.
  @Test func aRequestHasTheseBytes() {
    let options = OneShotOptions(
      desiredRadius68: Meters(5), timeout: .seconds(1), maximumAge: .zero, acceptsLastKnown: true)
    let radius: [UInt8] = [0x09, 0, 0, 0, 0, 0, 0, 0x14, 0x40]
    // 1,000,000,000 ns, with the sign in the lowest bit: 2,000,000,000.
    let rest: [UInt8] = [0x10, 0x80, 0xA8, 0xD6, 0xB9, 0x07, 0x18, 0x00, 0x20, 0x01, 0x28, 0x00]
    let payload: [UInt8] = [2, 0x08, 0xAC, 0x02, 0x12, 21] + radius + rest
    #expect(
      ClientMessage.request(.locate(RequestID(300), options)).frame == [UInt8(payload.count), 0, 0, 0] + payload)
  }

  @Test func deferredUpdatesHaveTheseBytes() throws {
    let limits = DeferralLimits(distance: Meters(500), timeout: .seconds(900))
    let request: [UInt8] = [
      0x14, 0x08, 0xAC, 0x02, 0x10, 0x01, 0x19, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x7F, 0x40, 0x20, 0x80, 0xA0, 0xF1,
      0xC2,
      0xB1, 0x34,
    ]
    #expect(
      ClientMessage.request(.deferUpdates(RequestID(300), of: RequestID(1), limits)).frame
        == [UInt8(request.count), 0, 0, 0] + request)

    // Two fixes, one second and 10⁻⁹° apart; the second has no speed.
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1000), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 2000),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8.5)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 1.5
    var next = fix
    next.time = GNSSTime(nanosecondsSince1970: 1_000_001_000)
    next.receivedAt = Instant(nanoseconds: 1_000_002_000)
    next.coordinate = Coordinate(latitude: Angle(degrees: 46.999999999), longitude: Angle(degrees: 8.5))
    next.speedMetersPerSecond = nil
    let event: [UInt8] = [
      0x14, 0x08, 0x01, 0x12, 0x37, 0x23, 0x08, 0xD0, 0x0F, 0x10, 0x06, 0x18, 0xA0, 0x1F, 0x20, 0x80, 0xD8, 0xD8, 0x96,
      0xDE,
      0x02, 0x28, 0x80, 0xD4, 0x9D, 0xAA, 0x3F, 0x30, 0xF0, 0x2E, 0x50, 0xB8, 0x17, 0x70, 0x04, 0x80, 0x01, 0x02, 0x90,
      0x01,
      0x00, 0x12, 0x08, 0x80, 0xA8, 0xD6, 0xB9, 0x07, 0x18, 0x80, 0xA8, 0xD6, 0xB9, 0x07, 0x20, 0x01, 0xC2, 0x01, 0x01,
      0x0A,
      0x18, 0x80, 0xE8, 0x92, 0x26,
    ]
    let batch = ServiceEvent.batch(RequestID(1), FixBatch([fix, next]), age: .milliseconds(40))
    #expect(ServerMessage.event(batch).frame == [UInt8(event.count), 0, 0, 0] + event)
    #expect(FixBatch([fix, next]).fixes == [fix, next])
  }

  @Test func aNegativeLimitOfADeferralIsInvalid() {
    for limits in [DeferralLimits(distance: Meters(-1)), DeferralLimits(timeout: .nanoseconds(-1))] {
      let frame = ClientMessage.request(.deferUpdates(RequestID(1), of: RequestID(2), limits)).frame
      #expect(throws: MessageError.self) { _ = try client(frame[4...]) }
    }
  }

  @Test func aTruncatedMessageIsRejected() throws {
    var generator = MessageGenerator(seed: 3)
    for _ in 0..<200 {
      let payload = Array(generator.serverMessage().frame.dropFirst(4))
      for end in 0..<payload.count {
        // A cut between two fields omits optional fields; the rest is a valid message.
        guard let message = try? server(payload[..<end]) else { continue }
        #expect(try server(message.frame[4...]) == message)
      }
    }
  }

  @Test func aFieldOfAVersionToComeIsSkipped() throws {
    let status: [UInt8] = [9, 0x08, 0x07]
    // Field 30, a number; field 29, eight bytes; field 28, text; field 4000, a number.
    let unknown: [UInt8] =
      [0xF0, 0x01, 0x63, 0xE9, 0x01, 1, 2, 3, 4, 5, 6, 7, 8, 0xE2, 0x01, 2, 0x41, 0x42, 0x80, 0xFA, 0x01, 1]
    #expect(try client((status + unknown)[...]) == .request(.status(RequestID(7))))
  }

  @Test(
    arguments: [
      ([], MessageError.truncated(expected: 1, found: 0)),
      ([99, 0x08, 1], .unknownMessage(99)),
      ([9], .missingField(1)),
      ([9, 0x08], .truncated(expected: 1, found: 0)),
      ([9, 0x08, 0x80], .truncated(expected: 1, found: 0)),
      ([9, 0x08, 1, 0x08, 2], .repeatedField(1)),
      ([9, 0x09, 0, 0, 0, 0, 0, 0, 0, 0], .wrongForm(field: 1, expected: .number, found: .fixed)),
      ([9, 0x0B, 1], .badTag(0x0B)),
      ([9, 0x00, 1], .badTag(0)),
      ([9, 0x08, 0x80, 0x80, 0x80, 0x80, 0x10], .outOfRange(field: 1, found: 1 << 32)),
      ([9, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], .endlessNumber),
      ([7, 0x08, 1, 0x12, 2, 0xC3, 0x28], .notUTF8(field: 2)),
      ([7, 0x08, 1, 0x12, 9, 0x41], .truncated(expected: 9, found: 1)),
      (
        [7, 0x08, 1, 0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        .truncated(expected: .max, found: 0)
      ),
      ([4, 0x08, 1, 0x10, 2], .outOfRange(field: 2, found: 2)),
    ] as [([UInt8], MessageError)])
  func invalidMessageSaysWhy(bytes: [UInt8], error: MessageError) {
    #expect(throws: error) { _ = try client(bytes[...]) }
  }

  @Test func aTextIsCutBetweenCharactersAndAListAtItsBound() throws {
    // 3 bytes each: the limit of 200 is in the middle of the 67th character.
    let long = String(repeating: "€", count: 100)
    let request = ClientRequest.trustDevice(RequestID(1), selector: long)
    #expect(
      try client(ClientMessage.request(request).frame[4...])
        == .request(.trustDevice(RequestID(1), selector: String(repeating: "€", count: 66))))

    let known = (0..<100).map { "device \($0)" }
    let failure = ServiceEvent.failed(RequestID(1), .unknownDevice(selector: "x", known: known))
    #expect(
      try server(ServerMessage.event(failure).frame[4...])
        == .event(.failed(RequestID(1), .unknownDevice(selector: "x", known: Array(known.prefix(64))))))
  }

  /// A message in which every list is full of the longest texts is within the limit.
  @Test func theLargestMessageIsWithinTheBound() {
    let text = String(repeating: "x", count: MessageLimits.text)
    var device = DeviceDescription(id: text, path: text, kind: .receiver, state: .identified)
    (device.product, device.chip, device.firmware, device.protocolName) = (text, text, text, text)
    device.name = text
    var client = ClientStatus(name: text)
    client.purpose = text
    let identity = ClientIdentity(userID: .max, realm: .container(text))
    client.identity = identity
    var status = ServiceStatus(source: text)
    status.devices = Array(repeating: device, count: 1000)
    status.clients = Array(repeating: client, count: 1000)
    let user = LocationUser(identity, name: text)
    status.usage = Array(repeating: UsageDescription(user, mark: .current, uses: .location), count: 1000)
    let log = LogDescription(name: text, isRunning: true, options: LogOptions(), bytes: .max)
    status.logs = Array(repeating: log, count: 1000)
    #expect(ServerMessage.event(.status(RequestID(.max), status)).frame.count - 4 <= MessageLimits.event)

    var satellite = SatelliteReport(.gps, 1)
    satellite.signals = Array(repeating: SatelliteSignal(name: text, decibelHertz: 1), count: 4)
    var sky = SkyReport(device: text)
    sky.satellites = Array(repeating: satellite, count: 1000)
    #expect(ServerMessage.event(.sky(RequestID(.max), sky)).frame.count - 4 <= MessageLimits.event)

    var record = GrantRecord(.always)
    (record.purpose, record.name) = (text, text)
    record.decidedAt = GNSSTime(nanosecondsSince1970: .min)
    (record.usedAt, record.usedInBackgroundAt) = (record.decidedAt, record.decidedAt)
    var grants = GrantList(isOn: true)
    grants.grants = Array(repeating: Grant(identity, record), count: 1000)
    let question = AuthorizationPrompt(
      number: PromptNumber(.max), identity: identity, kind: .upgradeToAlways, purpose: text, name: text,
      presence: .inUse, isReduced: true, since: Instant(nanoseconds: .min))
    grants.pending = Array(repeating: question, count: 1000)
    let list = ServiceEvent.authorization(RequestID(.max), .grants(grants))
    #expect(ServerMessage.event(list).frame.count - 4 <= MessageLimits.event)
  }
}
