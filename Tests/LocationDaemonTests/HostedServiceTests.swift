import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdRecords
import LocationdServer
import LocationdService
import Testing

/// Behavior that all hosts share.
@Suite struct HostedServiceTests {
  /// A process that hosts a service until it has located a position.
  private final class Bed: ServiceClients, HostedServiceHost {
    private let loop: EventLoop
    private(set) var received: [ClientID: [ServiceEvent]] = [:]
    let gate: (any ServiceGate)? = nil
    let authority: (any RecordsAuthority)? = nil
    let launches: MonitoringLaunches? = nil

    init(_ loop: EventLoop) { self.loop = loop }

    func send(_ event: ServiceEvent, to client: ClientID) {
      received[client, default: []].append(event)
      if case .located = event { loop.stop() }
    }

    func turnEnded() {}
    func describe(_ status: inout ServiceStatus) {}
    func receive(_ event: HostedServiceEvent) {}
  }

  @Test func clientsAreReportedEachTheirOwn() throws {
    let loop = try EventLoop()
    let (first, second) = (ClientID.process(0), ClientID.process(1))
    let bed = Bed(loop)
    let service = HostedService(
      try HostedService.Configuration(
        source: .simulator, isRealtime: true, stateFolder: nil, minding: nil, recordsLogs: false),
      loop: loop, clients: bed, host: bed)
    try service.open()
    service.send(.status(RequestID(1)), from: first)
    service.send(.locate(RequestID(2), OneShotOptions()), from: second)
    #expect(service.wants(of: second).oneShots == 1)
    try service.begin()
    // A guard against hanging, not a measurement.
    loop.schedule(at: loop.now + .seconds(60)) { loop.stop() }
    try loop.run()
    #expect(bed.received[first]?.map(\.request) == [RequestID(1)])
    guard case .status(_, let status)? = bed.received[first]?.first else {
      Issue.record("\(bed.received)")
      return
    }
    #expect(status.source == "simulator")
    #expect(status.version == nil)
    #expect(bed.received[second]?.allSatisfy { $0.request == RequestID(2) } == true)
    #expect(service.wants(of: second).oneShots == 0)
  }

  @Test func sourcesAreWrittenAsTheyAreRead() throws {
    for text in [
      "auto", "simulator", "serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0@9600", "replay:/a:b", "gpsd:localhost:2947",
      "gpsd:[::1]:5000", "tcp://gps.example.org:10110", "udp://127.0.0.1:10110", "tcp-listen://[::1]:5000",
    ] {
      #expect(try SourceSelection(parsing: text).text == text)
    }
  }
}
