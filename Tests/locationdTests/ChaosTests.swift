import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// Two hundred clients that come, go, stall, send garbage, too much and half messages, beside one that behaves. Some seconds;
/// LOCATION_CHAOS_SECONDS says how many.
@Suite(.serialized) struct ChaosTests {
  private static let seconds = ProcessInfo.processInfo.environment["LOCATION_CHAOS_SECONDS"].flatMap { Int64($0) } ?? 5
  private static let clients = 200

  /// What a client does next.
  private enum Act: CaseIterable {
    case come, greet, ask, cancel, listen, go, garbage, oversize, half, mutate
  }

  @Test(.timeLimit(.minutes(20))) func theOneThatBehavesIsServedBesideAllOthers() throws {
    let place = try RunningDaemon.Place()
    // Its log is read by nobody: that must not hold it up.
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
    // A receiver with an epoch a second, of which none is missing.
    let steps = zip(fixes, fixes.dropFirst()).map { ($1.time - $0.time).inSeconds }
    #expect(steps.allSatisfy { $0 == 1 }, "\(steps)")

    crowd.leave()
    // Every other client is forgotten: at the latest some epochs later.
    var others: [ClientStatus]?
    for request: UInt32 in 10..<70 where others?.isEmpty != true {
      good.send(.request(.status(RequestID(request))))
      while let event = try good.nextEvent() {
        guard case .status(_, let status) = event else { continue }
        others = status.clients.filter { $0.name != "good" }
        break
      }
      // An epoch later.
      if others?.isEmpty != true { _ = try good.nextEvent() }
    }
    #expect(others == [])
    daemon.send(SIGTERM)
    // A sanitizer that has found something ends otherwise.
    #expect(daemon.end() == 0)
  }

  /// The clients that do not behave.
  private struct Crowd {
    let place: RunningDaemon.Place
    var random: SplitMix64
    var clients: [RawClient?]
    var nextRequest: UInt32 = 1
    /// Clients that were let go with a word, and events that came.
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
        // Where the queue of those who wait is full, another time.
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
