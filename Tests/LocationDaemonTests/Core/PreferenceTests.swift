import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// Which of two receivers is used if one is preferred.
@Suite struct PreferenceTests {
  private typealias Bench = CoreBench

  private static let roof = NamedReceiver(name: "roof", id: "usb-2")
  private static let boat = NamedReceiver(name: "boat", port: "/dev/ttyACM0")

  private func bench(_ order: [String], failoverAfter: Duration = .seconds(5)) -> CoreBench {
    var bench = Bench()
    _ = bench.send(
      .prefer(
        ReceiverPreferences(receivers: [Self.roof, Self.boat], order: order, failoverAfter: failoverAfter)), at: 0)
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1")), at: 0)
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-2", path: "/dev/ttyACM1")), at: 0)
    _ = bench.send(Bench.watch(), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    _ = bench.send(.opened(Bench.second, baud: 9600), at: 0)
    return bench
  }

  /// The receivers of the updates in a second in which both have a fix.
  private func both(_ bench: inout CoreBench, _ second: Int, better: String = "0.9") -> [String?] {
    bench.receive(Bench.burst(second, hdop: better), on: Bench.first, at: Double(second)).updates.map(\.device)
      + bench.receive(
        Bench.burst(second, latitude: "4717.0010", hdop: "4.0"), on: Bench.second, at: Double(second) + 0.4
      )
      .updates.map(\.device)
  }

  /// The other receiver is four times as accurate, and is used first; the preferred one still takes over, for good.
  @Test func thePreferredOneIsUsedAsSoonAsItHasAFix() {
    var bench = bench(["roof", "boat"])
    #expect(both(&bench, 1) == ["/dev/ttyACM0", "/dev/ttyACM1"])
    for second in 2...6 { #expect(both(&bench, second) == ["/dev/ttyACM1"]) }
  }

  @Test func theNextOneIsUsedAfterTheConfiguredTimeAndThePreferredOneWhenItIsBack() {
    var bench = bench(["roof", "boat"])
    _ = both(&bench, 1)
    var used: [Int: [String?]] = [:]
    for second in 2...9 {
      used[second] = bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).updates.map(\.device)
    }
    // The preferred one's last fix was complete at 1.6 s; five seconds later the other is used.
    for second in 2...6 { #expect(used[second] == [], "\(second)") }
    for second in 7...9 { #expect(used[second] == ["/dev/ttyACM0"], "\(second)") }
    #expect(both(&bench, 10) == ["/dev/ttyACM0", "/dev/ttyACM1"])
    #expect(both(&bench, 11) == ["/dev/ttyACM1"])
  }

  /// A receiver without a name comes after all that are listed.
  @Test func receiversThatAreNotListedComeLast() {
    var bench = bench(["boat"])
    #expect(both(&bench, 1) == ["/dev/ttyACM0"])
    #expect(both(&bench, 2, better: "20") == ["/dev/ttyACM0"])
  }

  @Test func aRequestForOneFixIsAnsweredByThePreferredOneWhileItHasFixes() {
    var bench = bench(["roof", "boat"])
    _ = both(&bench, 1)
    _ = bench.send(Bench.locate(2) { $0.maximumAge = .zero }, at: 1.8)
    #expect(bench.receive(Bench.burst(2), on: Bench.first, at: 2).located == nil)
    var located: String?
    for second in 3...12 where located == nil {
      let actions = bench.receive(
        Bench.burst(second, latitude: "4717.0010"), on: Bench.second, at: Double(second) + 0.4)
      located = actions.located?.device
    }
    #expect(located == "/dev/ttyACM1")
  }

  @Test func anotherOrderAppliesAtOnce() {
    var bench = bench(["roof", "boat"])
    _ = both(&bench, 1)
    #expect(both(&bench, 2) == ["/dev/ttyACM1"])
    _ = bench.send(.prefer(ReceiverPreferences(receivers: [Self.roof, Self.boat], order: ["boat"])), at: 2.9)
    #expect(both(&bench, 3) == ["/dev/ttyACM0"])
  }

  @Test func namesAreThoseOfTheConfiguration() {
    var bench = bench([])
    let names = { (actions: [ServiceCore.Action]) -> [String?] in
      actions.events.flatMap { event -> [String?] in
        if case .devices(_, let devices) = event { devices.map(\.name) } else { [] }
      }
    }
    let listed = ServiceCore.Input.request(Bench.client, .listDevices(RequestID(9)))
    #expect(names(bench.send(listed, at: 1)) == ["boat", "roof"])
    _ = bench.send(.prefer(ReceiverPreferences(receivers: [NamedReceiver(name: "mast", id: "usb-1")])), at: 2)
    #expect(names(bench.send(listed, at: 3)) == ["mast", nil])
    // Both the ID and the port must be those of the receiver.
    let elsewhere = NamedReceiver(name: "roof", id: "usb-2", port: "/dev/ttyACM7")
    _ = bench.send(.prefer(ReceiverPreferences(receivers: [elsewhere])), at: 4)
    #expect(names(bench.send(listed, at: 5)) == [nil, nil])
  }
}
