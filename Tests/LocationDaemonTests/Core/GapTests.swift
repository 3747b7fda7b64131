import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// A tunnel: the receiver continues to send, but has no fix.
@Suite struct GapTests {
  typealias Bench = CoreBench

  /// 20 m/s to the north.
  private static func driving(_ second: Int) -> [UInt8] {
    let minutes = 17 + Double(second) * 20 / 111_180 * 60
    let thousands = Int((minutes * 100_000).rounded())
    let latitude = "47\(thousands / 100_000).\(String(thousands % 100_000 + 100_000).dropFirst())"
    let time = "1200" + (second < 10 ? "0\(second)" : "\(second)") + ".00"
    return Bench.sentence("GNRMC,\(time),A,\(latitude),N,00833.0000,E,38.877,0.0,010826,,,A,V")
      + Bench.sentence("GNGGA,\(time),\(latitude),N,00833.0000,E,1,08,1.0,10.0,M,47.0,M,,")
  }

  private func watched(_ options: UpdateOptions) -> CoreBench {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(Bench.receiver("A")), at: 0)
    _ = bench.send(.request(Bench.client, .startUpdates(RequestID(1), options)), at: 0)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 0)
    for second in 1...20 { _ = bench.receive(Self.driving(second), on: Bench.first, at: Double(second)) }
    return bench
  }

  @Test func theTrackGoesOnForTenSeconds() throws {
    var bench = watched(UpdateOptions())
    var radius = Meters(0)
    for second in 21...30 {
      let reported = bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)).events
      guard case .update(_, let fix, _)? = reported.first, reported.count == 1 else {
        Issue.record("\(second): \(reported)")
        continue
      }
      #expect(fix.kind == .estimated && fix.satellitesUsed == nil && fix.hdop == nil)
      let true47 = 47 + (17 + Double(second) * 20 / 111_180 * 60) / 60
      let error = abs(fix.coordinate.latitude.degrees - true47) * 111_180
      #expect(error < fix.horizontalRadius68.value, "\(second): \(error) m")
      #expect(fix.horizontalRadius68 > radius)
      radius = fix.horizontalRadius68
    }
    // The ten seconds are over: three epochs later, the stream is lost.
    var later: [ServiceEvent] = []
    for second in 31...34 {
      later += bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)).events
    }
    #expect(later == [.streamChanged(RequestID(1), .lost)])
    let back = bench.receive(Self.driving(40), on: Bench.first, at: 40).events
    #expect(back.first == .streamChanged(RequestID(1), .back))
  }

  @Test func nmeaOutputFollowsOneReceiver() {
    var bench = watched(UpdateOptions(isRaw: true))
    var reported: [ServiceEvent] = []
    for second in 21...24 {
      reported += bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)).events
    }
    #expect(reported == [.streamChanged(RequestID(1), .lost)])
  }

  /// The answer to a request for one fix is only what a receiver measured.
  @Test func noRequestIsAnsweredByIt() {
    var bench = watched(UpdateOptions())
    let request = Bench.locate(2) { ($0.maximumAge, $0.timeout) = (.zero, .seconds(5)) }
    #expect(bench.send(request, at: 20.5).located == nil)
    for second in 21...24 {
      #expect(bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)).located == nil)
    }
  }

  /// A program that starts in a tunnel does not receive a position that was not measured.
  @Test func noStreamBeginsWithIt() {
    var bench = watched(UpdateOptions())
    for second in 21...24 { _ = bench.receive(Bench.searching(second), on: Bench.first, at: Double(second)) }
    _ = bench.send(Bench.watch(2), at: 24.5)
    let reported = bench.receive(Bench.searching(25), on: Bench.first, at: 25).events
    #expect(reported.count == 1)
  }
}
