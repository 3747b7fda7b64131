import Geodesy
import LocationIPC
import LocationdService
import Testing

/// Receivers that are unplugged and plugged in again, become silent, or send nothing at all.
@Suite struct HotplugTests {
  typealias Bench = CoreBench
  private let receiver = Bench.receiver("usb-1")

  private func streaming(waits: Bool = false) -> Bench {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    #expect(bench.send(Bench.watch(waits: waits), at: 0) == [.open(Bench.first, receiver)])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    for second in 1...3 {
      #expect(bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).updates.count == 1)
    }
    return bench
  }

  // MARK: - Another name

  @Test(arguments: [true, false])
  func underAnotherNameItIsOpenedThereWhicheverEventComesFirst(vanishesFirst: Bool) {
    var bench = streaming()
    let moved = Bench.receiver("usb-1", path: "/dev/ttyACM1")
    let gone = ServiceCore.Input.deviceVanished(id: "usb-1", path: "/dev/ttyACM0")
    let link: LinkID
    if vanishesFirst {
      let reported = bench.send(gone, at: 4)
      #expect(reported.contains(.close(Bench.first)) && reported.events == [.streamChanged(RequestID(1), .lost)])
      link = Bench.second
      #expect(bench.send(.deviceAppeared(moved), at: 5) == [.open(link, moved)])
    } else {
      link = Bench.first
      #expect(bench.send(.deviceAppeared(moved), at: 4) == [.close(link), .open(link, moved)])
      #expect(bench.send(gone, at: 5) == [])
    }
    #expect(bench.send(.opened(link, baud: 9600), at: 5) == [])
    let fixes = bench.receive(Bench.burst(6), on: link, at: 6).updates
    #expect(fixes.map(\.device) == ["/dev/ttyACM1"])
  }

  @Test func aOneShotOutlivesAChangeOfName() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    #expect(bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 1) == [.close(Bench.first)])
    let moved = Bench.receiver("usb-1", path: "/dev/ttyACM1")
    #expect(bench.send(.deviceAppeared(moved), at: 3) == [.open(Bench.second, moved)])
    _ = bench.send(.opened(Bench.second, baud: 9600), at: 3)
    #expect(bench.receive(Bench.burst(4), on: Bench.second, at: 4).located != nil)
  }

  @Test func aOneShotGivesUpOnWhatDoesNotComeBack() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    _ = bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 1)
    #expect(bench.send(.wake, at: 5.9) == [])
    #expect(bench.send(.wake, at: 6).failure != nil)
    #expect(!bench.core.isBusy)
  }

  // MARK: - The same name

  @Test func aPortThatClosesIsOpenedAgainAfterGrowingPauses() {
    var bench = streaming()
    #expect(bench.send(.closed(Bench.first), at: 3.5).events == [.streamChanged(RequestID(1), .lost)])
    var now = 3.5
    for pause in [0.25, 0.5, 1, 1, 1, 1, 1, 1, 1, 1] {
      #expect(!bench.send(.wake, at: now + pause - 0.01).contains(.open(Bench.first, receiver)))
      now += pause
      #expect(bench.send(.wake, at: now).contains(.open(Bench.first, receiver)))
      #expect(bench.send(.openFailed(Bench.first, .cannotOpen(.doesNotExist)), at: now) == [])
    }
    #expect(bench.send(.wake, at: now + 1) == [.open(Bench.first, receiver)])
    #expect(bench.send(.opened(Bench.first, baud: 9600), at: now + 1) == [])
    let actions = bench.receive(Bench.burst(30), on: Bench.first, at: now + 2)
    #expect(actions.updates.count == 1)
    #expect(actions.events.contains(.streamChanged(RequestID(1), .back)))
    // The receiver works again: the next pause is a short one.
    _ = bench.send(.closed(Bench.first), at: now + 3)
    #expect(bench.core.nextDeadline == Bench.at(now + 3.25))
  }

  @Test func onePortThatNeverOpensIsGivenUp() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    var now = 0.0
    var openings = bench.send(Bench.locate(), at: now).count { $0 == .open(Bench.first, receiver) }
    let problem = OpenProblem.cannotOpen(.system(operation: "open", errno: 5))
    while openings < 20 {
      let actions = bench.send(.openFailed(Bench.first, problem), at: now)
      if actions.failure != nil { break }
      now += 1
      openings += bench.send(.wake, at: now).count { $0 == .open(Bench.first, receiver) }
    }
    #expect(openings == 6)
    #expect(!bench.core.isBusy)
  }

  @Test func aStreamIsLostWhenItsReceiverFallsSilentAndBackAfterReopening() {
    var bench = streaming()
    var actions: [ServiceCore.Action] = []
    while let deadline = bench.core.nextDeadline, deadline <= Bench.at(20) {
      actions += bench.core.handle(.wake, at: deadline)
      if actions.contains(.open(Bench.first, receiver)) { break }
    }
    #expect(actions.events.contains(.streamChanged(RequestID(1), .lost)))
    #expect(actions.contains(.close(Bench.first)))
    #expect(actions.contains(.open(Bench.first, receiver)))
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 20)
    let events = bench.receive(Bench.burst(21), on: Bench.first, at: 21).events
    #expect(events.first == .streamChanged(RequestID(1), .back))
  }

  // MARK: - Nothing received

  /// Two rounds over nine baud rates of 1.2 s each.
  @Test func aRequestEndsAfterTwoSilentRoundsOfBaudRates() throws {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    var actions: [ServiceCore.Action] = []
    var speeds: [Int] = []
    while actions.failure == nil, let deadline = bench.core.nextDeadline, deadline <= Bench.at(60) {
      actions = bench.core.handle(.wake, at: deadline)
      for case .setSpeed(Bench.first, let baud) in actions { speeds.append(baud) }
    }
    guard case .nothingReceived("/dev/ttyACM0", 0, let tried)? = actions.failure else {
      Issue.record("\(String(describing: actions.failure))")
      return
    }
    #expect(tried.count == 9)
    #expect(speeds.prefix(8) == tried[1...])
    #expect(actions.contains(.close(Bench.first)))
  }

  @Test func aSpeedThatWasFoundIsRememberedAndTriedFirst() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 38_400), at: 0)
    #expect(bench.send(.wake, at: 1.2) == [.setSpeed(Bench.first, baud: 9600)])
    #expect(bench.receive(Bench.burst(2), on: Bench.first, at: 2).contains(.remember))
    #expect(bench.core.memory.speed(of: "usb-1") == 9600)

    var next = Bench(memory: bench.core.memory)
    _ = next.send(.deviceAppeared(receiver), at: 0)
    _ = next.send(Bench.locate(), at: 0)
    #expect(next.send(.opened(Bench.first, baud: 115_200), at: 0) == [.setSpeed(Bench.first, baud: 9600)])
  }

  @Test func aNamedSpeedGoesBeforeTheMemory() {
    var memory = ServiceMemory()
    _ = memory.remember(speed: 9600, of: "usb-1")
    var named = receiver
    named.namedSpeed = 57_600
    var bench = Bench(memory: memory)
    _ = bench.send(.deviceAppeared(named), at: 0)
    _ = bench.send(Bench.locate(), at: 0)
    #expect(bench.send(.opened(Bench.first, baud: 115_200), at: 0) == [.setSpeed(Bench.first, baud: 57_600)])
  }

  // MARK: - Two receivers

  private func twoReceivers() -> Bench {
    var bench = Bench()
    let other = Bench.receiver("usb-2", path: "/dev/ttyACM1")
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(.deviceAppeared(other), at: 0)
    #expect(bench.send(Bench.watch(), at: 0) == [.open(Bench.first, receiver), .open(Bench.second, other)])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    _ = bench.send(.opened(Bench.second, baud: 9600), at: 0)
    return bench
  }

  @Test func aStreamFollowsOneReceiverAndTheOtherWhenThatOneIsQuiet() {
    var bench = twoReceivers()
    var devices: [String?] = []
    for second in 1...5 {
      devices += bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).updates.map(\.device)
      devices += bench.receive(
        Bench.burst(second, latitude: "4717.0010", hdop: "0.9"), on: Bench.second, at: Double(second) + 0.4
      ).updates.map(\.device)
    }
    #expect(devices == Array(repeating: "/dev/ttyACM0", count: 5))
    devices = []
    for second in 6...12 {
      devices += bench.receive(
        Bench.burst(second, latitude: "4717.0010", hdop: "0.9"), on: Bench.second, at: Double(second) + 0.4
      ).updates.map(\.device)
    }
    // The first receiver's last output was at 5.2 s; after 3 s without it, the other one is used.
    #expect(devices == Array(repeating: "/dev/ttyACM1", count: 5))
  }

  @Test func aStreamGoesOverToAReceiverThatIsTwiceAsGood() {
    var bench = twoReceivers()
    _ = bench.receive(Bench.burst(1, hdop: "4.0"), on: Bench.first, at: 1)
    let better = bench.receive(Bench.burst(1, latitude: "4717.0010", hdop: "1.0"), on: Bench.second, at: 1.4)
    #expect(better.updates.map(\.device) == ["/dev/ttyACM1"])
    #expect(bench.receive(Bench.burst(2, hdop: "4.0"), on: Bench.first, at: 2).updates.isEmpty)
    let next = bench.receive(Bench.burst(2, latitude: "4717.0010", hdop: "1.0"), on: Bench.second, at: 2.4)
    #expect(next.updates.map(\.device) == ["/dev/ttyACM1"])
  }

  @Test func whenTheFollowedOneIsUnpluggedTheOtherTakesOverImmediately() {
    var bench = twoReceivers()
    _ = bench.receive(Bench.burst(1), on: Bench.first, at: 1)
    #expect(bench.receive(Bench.burst(1), on: Bench.second, at: 1.4).updates.isEmpty)
    #expect(bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 1.8) == [.close(Bench.first)])
    #expect(bench.receive(Bench.burst(2), on: Bench.second, at: 2.4).updates.map(\.device) == ["/dev/ttyACM1"])
  }

  @Test func aOneShotIsAnsweredByTheOneThatHasAFix() {
    var bench = twoReceivers()
    _ = bench.send(Bench.locate(2), at: 0.5)
    _ = bench.send(Bench.cancel(), at: 0.6)
    #expect(bench.receive(Bench.searching(1), on: Bench.first, at: 1).located == nil)
    let actions = bench.receive(Bench.burst(1), on: Bench.second, at: 1.4)
    #expect(actions.located?.device == "/dev/ttyACM1")
    #expect(actions.deeds.suffix(2) == [.close(Bench.first), .close(Bench.second)])
  }
}
