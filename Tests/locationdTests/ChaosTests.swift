import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// Two hundred clients that connect, disconnect, stall, or send garbage, too much data and incomplete messages, beside one client
/// that behaves. The test takes some seconds; LOCATION_CHAOS_SECONDS sets how many.
@Suite(.serialized) struct ChaosTests {
  private static let seconds = ProcessInfo.processInfo.environment["LOCATION_CHAOS_SECONDS"].flatMap { Int64($0) } ?? 5
  private static let clients = 200

  /// The next action of a client.
  private enum Act: CaseIterable {
    case come, greet, ask, cancel, listen, go, garbage, oversize, half, mutate
  }

  @Test(.timeLimit(.minutes(20))) func theOneThatBehavesIsServedBesideAllOthers() throws {
    let place = try RunningDaemon.Place()
    // Nobody reads the daemon's log: that must not block the daemon.
    let daemon = try RunningDaemon.listening(at: place)
    let good = try RawClient.greeted(place, name: "good")
    good.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    var crowd = Crowd(place: place, seed: 20_261_121, count: Self.clients)
    var fixes: [PositionFix] = []
    var isOpen = true
    let began = ContinuousClock.now
    // On a busy machine, continue until everything has happened at least once, but not forever.
    let hasSeenAll = { fixes.count >= 3 && crowd.refused > 0 && crowd.served > 0 }
    while isOpen, ContinuousClock.now - began < .seconds(hasSeenAll() ? Self.seconds : Self.seconds + 300) {
      for _ in 0..<50 { try crowd.act() }
      isOpen = try good.drain { message in
        if case .event(.update(_, let fix, _)) = message { fixes.append(fix) }
      }
    }
    #expect(isOpen, "it was let go")
    #expect(hasSeenAll(), "\(fixes.count) fixes, \(crowd.refused) refused, \(crowd.served) served")
    // The receiver sends one epoch per second, and the client receives all of them.
    let steps = zip(fixes, fixes.dropFirst()).map { ($1.time - $0.time).inSeconds }
    #expect(steps.allSatisfy { $0 == 1 }, "\(steps)")

    crowd.leave()
    // The service forgets every other client, at the latest some epochs later.
    var others: [ClientStatus]?
    for request: UInt32 in 10..<70 where others?.isEmpty != true {
      good.send(.request(.status(RequestID(request))))
      while let event = try good.nextEvent() {
        guard case .status(_, let status) = event else { continue }
        others = status.clients.filter { $0.name != "good" }
        break
      }
      // Waits for the next epoch.
      if others?.isEmpty != true { _ = try good.nextEvent() }
    }
    #expect(others == [])
    daemon.send(SIGTERM)
    // If a sanitizer has found an error, the exit status differs.
    #expect(daemon.end() == 0)
  }

  /// The clients that misbehave.
  private struct Crowd {
    let place: RunningDaemon.Place
    var random: SplitMix64
    var clients: [RawClient?]
    var nextRequest: UInt32 = 1
    /// How many clients were refused with a message, and how many events the clients received.
    var (refused, served) = (0, 0)

    init(place: RunningDaemon.Place, seed: UInt64, count: Int) {
      self.place = place
      random = SplitMix64(seed: seed)
      clients = Array(repeating: nil, count: count)
    }

    mutating func leave() { clients = [] }

    mutating func act() throws {
      let index = Int.random(in: clients.indices, using: &random)
      guard let client = clients[index] else {
        // If the queue of waiting connections is full, this client tries again later.
        clients[index] = try? RawClient(place)
        return
      }
      switch Act.allCases.randomElement(using: &random) ?? .go {
      case .come, .greet: client.send(.hello(ClientHello(name: "client \(index)")))
      case .ask: client.send(.request(request()))
      case .cancel:
        client.send(.request(.cancel(RequestID(UInt32.random(in: 1...max(1, nextRequest), using: &random)))))
      case .listen: try listen(to: client, index)
      case .go: clients[index] = nil
      case .garbage: client.send(bytes(Int.random(in: 1...64, using: &random)))
      case .oversize: client.send([0xFF, 0xFF, 0xFF, UInt8.random(in: 0...255, using: &random)])
      case .half: client.send(Array(ClientMessage.request(request()).frame.dropLast(3)))
      case .mutate:
        var frame = ClientMessage.request(request()).frame
        frame[Int.random(in: frame.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        client.send(frame)
      }
    }

    private mutating func listen(to client: RawClient, _ index: Int) throws {
      // The crowd waits for answers; otherwise it would only fill the queue of connections with clients that have
      // already gone.
      let isOpen = try client.drain(within: 20) { message in
        switch message {
        case .refused: refused += 1
        case .event: served += 1
        case .hello: break
        }
      }
      if !isOpen { clients[index] = nil }
    }

    private mutating func request() -> ClientRequest {
      nextRequest += 1
      let id = RequestID(nextRequest)
      return switch Int.random(in: 0...6, using: &random) {
      case 0: .locate(id, OneShotOptions(timeout: .seconds(Int.random(in: 0...5, using: &random))))
      case 1: .startUpdates(id, UpdateOptions(setsReceivers: Bool.random(using: &random)))
      case 2: .watchSky(id, waitsForSource: true)
      case 3: .listDevices(id)
      case 4: .trustDevice(id, selector: "nothing")
      case 5: .setOwner(id, selector: "nothing", owner: .gpsd)
      default: .status(id)
      }
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }
}
