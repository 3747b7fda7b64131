import GNSSReceiver
import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdServer
import LocationdService
import Testing

/// The requests determine what runs, down to the receiver.
@Suite struct PowerTests {
  typealias Bench = CoreBench

  private static func stream(_ number: UInt32, _ radius: Double?) -> ServiceCore.Input {
    .request(
      Bench.client,
      .startUpdates(RequestID(number), UpdateOptions(sufficientRadius68: radius.map { Meters($0) })))
  }

  @Test(arguments: [Dialect.ublox6, .ublox7, .ublox8, .ublox9])
  func coarseRequestsLetTheReceiverSleep(dialect: Dialect) throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.isFactorySet = true
    var run = ReceiverRun(configuration)
    let before = try #require(run.receiver.memory)
    run.send(.presence(Bench.client, isInBackground: true))
    run.send(Self.stream(1, 1000))
    // A kilometer at 40 m/s; longer when it is known that the machine stands still.
    #expect(run.core.planner.plan.satellites == .sparing(.seconds(25)))
    run.run(until: .seconds(10))
    #expect(run.core.planner.plan.satellites == .sparing(.seconds(60)))
    #expect(run.receiver.memory?.powerMode == 1)
    #expect(run.receiver.memory?.updatePeriodMilliseconds == 60_000)
    // A client that requires the best accuracy wakes the receiver for all clients; when it ends, the receiver is as before.
    run.send(Self.stream(2, nil))
    run.run(until: .seconds(16))
    #expect(run.receiver.memory?.powerMode == 0)
    run.send(Bench.cancel(2))
    run.run(until: .seconds(24))
    #expect(run.receiver.memory?.powerMode == 1)
    run.send(Bench.cancel(1))
    run.run(until: .seconds(32))
    #expect(run.receiver.memory == before)
    #expect(run.core.planner.plan == .nothing && !run.isOpen)
  }

  @Test func thePlanIsTold() {
    var run = ReceiverRun(SimulatedReceiver.Configuration())
    run.send(Self.stream(1, nil))
    run.run(until: .seconds(3))
    #expect(run.core.planner.plan == PowerPlan(satellites: .on, wifiPeriod: nil, reason: .accuracy(nil)))
    run.send(.request(Bench.client, .watchSky(RequestID(2), waitsForSource: false)))
    #expect(run.core.planner.plan.reason == .satellites)
    run.send(.clientGone(Bench.client))
    #expect(run.core.planner.plan == .nothing)
  }
}
