import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdServer
import LocationdService
import Testing

/// What hosts have in common.
@Suite struct HostedServiceTests {
  @Test func clientsAreToldEachTheirOwn() throws {
    let loop = try EventLoop()
    let service = try HostedService(
      loop: loop, source: .simulator, realtime: true, stateFolder: nil, minding: nil, recordsLogs: false)
    let (first, second) = (ClientID(0), ClientID(1))
    var heard: [ClientID: [ServiceEvent]] = [:]
    service.onEvent = { client, event in
      heard[client, default: []].append(event)
      if case .located = event { loop.stop() }
    }
    service.send(.status(RequestID(1)), from: first)
    service.send(.locate(RequestID(2), OneShotOptions()), from: second)
    #expect(service.wants(of: second).oneShots == 1)
    try service.begin()
    // A guard against hanging, not a measure.
    loop.schedule(at: loop.now + .seconds(60)) { loop.stop() }
    try loop.run()
    #expect(heard[first]?.map(\.request) == [RequestID(1)])
    guard case .status(_, let status)? = heard[first]?.first else {
      Issue.record("\(heard)")
      return
    }
    #expect(status.source == "simulator")
    #expect(status.version == nil)
    #expect(heard[second]?.allSatisfy { $0.request == RequestID(2) } == true)
    #expect(service.wants(of: second).oneShots == 0)
  }

  @Test func sourcesAreWrittenAsTheyAreRead() throws {
    for text in [
      "auto", "simulator", "serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0@9600", "replay:/a:b", "gpsd:localhost:2947",
      "gpsd:[::1]:5000",
    ] {
      #expect(try SourceSelection(parsing: text).text == text)
    }
  }
}
