import Foundation
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// A command that diagnoses a receiver which the daemon has open gets the receiver's output from the daemon.
@Suite(.serialized) struct ListeningTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func run(_ arguments: String...) throws -> CommandRun.Result { try CommandRun(arguments, at: place).finish() }

  /// A client with a stream that has received its first event.
  private func streaming() throws -> RawClient {
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    while let event = try client.nextEvent() {
      if case .update = event { return client }
    }
    throw RawClient.NoAnswer()
  }

  /// The next lines that a client receives for `request`.
  private func lines(_ client: RawClient, _ request: RequestID) throws -> [String] {
    while let event = try client.nextEvent() {
      guard case .received(request, let bytes) = event else { continue }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    throw RawClient.NoAnswer()
  }

  @Test func theDoctorReceivesItBesideOthersAndAlone() throws {
    let daemon = try RunningDaemon.listening(at: place)
    var other: RawClient? = try streaming()
    for isAlone in [false, true] {
      if isAlone { other = nil }
      let doctor = try run("doctor", "--duration", "20")
      // Findings about the machine itself do not matter here.
      let ofReceivers = doctor.objects.filter { $0["device"] != nil }
      #expect(ofReceivers.map { $0["finding"] as? String } == ["simulated"], "\(doctor.text)")
      #expect(!doctor.text.contains("No GNSS receiver"), "\(doctor.text)")
    }
    #expect(other == nil)
    // The receiver was opened for each of the two runs.
    for _ in 0..<2 {
      try daemon.awaitLine("is open")
      try daemon.awaitLine("is closed")
    }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aCaptureOfItCanBePlayed() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let other = try streaming()
    let file = place.folder.appendingPathComponent("heard.capture").path
    let capture = try run("capture", file, "--duration", "3")
    #expect(capture.status == 0, "\(capture.errors)")
    let text = try String(contentsOfFile: file, encoding: .isoLatin1).split(separator: "\n")
    #expect(text.contains { $0.contains(" start 0 ") })
    #expect(text.contains { $0.contains(" device 1 path=/dev/pts/") })
    let played = try run("replay", file)
    #expect(played.status == 0, "\(played.errors)")
    #expect(played.objects.count { $0["latitude"] != nil } >= 2, "\(played.text)")
    // The other client's stream has continued meanwhile.
    guard case .update? = try other.nextEvent() else { throw RawClient.NoAnswer() }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func lateAgentsReceiveOpenPromptsAndDepartedOnesNothing() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let client = try streaming()
    for number in 2...3 as ClosedRange<UInt32> {
      client.send(.request(.listenIn(RequestID(number))))
      let first = try lines(client, RequestID(number))
      #expect(first.first == "swift-corelocation capture 1")
      #expect(try lines(client, RequestID(number)).first?.contains(" device 1 path=") == true)
      #expect(try lines(client, RequestID(number)).first?.contains(" bytes 1 ") == true)
    }
    client.send(.request(.cancel(RequestID(2))))
    client.send(.request(.listDevices(RequestID(4))))
    var hasAnswered = false
    while let event = try client.nextEvent() {
      if case .devices = event { hasAnswered = true }
      if case .received(let id, _) = event, hasAnswered {
        #expect(id == RequestID(3))
        break
      }
    }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func soManyMayListen() throws {
    let daemon = try RunningDaemon.listening(["--source", "serial:/nonexistent"], at: place)
    var client: RawClient? = try RawClient.greeted(place)
    for number in 1...9 as ClosedRange<UInt32> { client?.send(.request(.listenIn(RequestID(number)))) }
    var refused: [RequestID] = []
    while refused.isEmpty, let event = try client?.nextEvent() {
      if case .failed(let id, .tooManyRequests(limit: 8)) = event { refused.append(id) }
    }
    #expect(refused == [RequestID(9)])
    // Without a receiver there is no output, and the command reports the cause.
    let capture = try run("capture", place.folder.appendingPathComponent("none").path, "--duration", "5")
    #expect(capture.status == 75, "\(capture.errors)")
    client = nil
    #expect(try run("capture", place.folder.appendingPathComponent("none").path, "--duration", "5").status == 69)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
