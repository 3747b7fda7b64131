import Foundation
import GNSSReceiver
import Geodesy
import Testing

/// A real receiver with the truth beside it; the folder is named by LOCATION_DATA.
private let dataFolder = ProcessInfo.processInfo.environment["LOCATION_DATA"]

@Suite(.enabled(if: dataFolder != nil, "LOCATION_DATA names no folder of recorded receivers"))
struct RecordedReceiverTests {
  /// One true position a line: GGA of the reference, by UTC time of day.
  private func truth() throws -> [String: Coordinate] {
    let path = "\(try #require(dataFolder))/gnss/MTV.Local1.SPAN.20200206-181434.gga"
    let text = try String(contentsOfFile: path, encoding: .ascii)
    var positions: [String: Coordinate] = [:]
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("$GPGGA") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let latitude = Double(fields[2]), let longitude = Double(fields[4]) else { continue }
      func degrees(_ value: Double) -> Double {
        (value / 100).rounded(.down) + value.truncatingRemainder(dividingBy: 100) / 60
      }
      positions[String(fields[1])] = Coordinate(
        latitude: Angle(degrees: degrees(latitude) * (fields[3] == "S" ? -1 : 1)),
        longitude: Angle(degrees: degrees(longitude) * (fields[5] == "W" ? -1 : 1)))
    }
    return positions
  }

  /// The log through a session in virtual time, in chunks of `chunk` bytes, an epoch a second.
  private func epochs(chunk: Int) throws -> [GNSSEpoch] {
    let path = "\(try #require(dataFolder))/gnss/MTV.Local1.ublox-F9K.20200206-181434.nmea"
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var settings = ReceiverSettings(device: "log")
    settings.hasLineSpeed = false
    settings.mayPoll = false
    var session = ReceiverSession(settings)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var epochs: [GNSSEpoch] = []
    func keep(_ actions: [ReceiverSession.Action]) {
      for case .epoch(let epoch) in actions { epochs.append(epoch) }
    }
    keep(session.handle(.opened(baud: nil), at: now))
    var start = 0
    // The receiver's burst begins with RMC; the silence before it is a second less the burst.
    let marker = Array("$GNRMC".utf8)
    while start < log.count {
      var end = start + 1
      while end < log.count, !log[end...].starts(with: marker) { end += 1 }
      var position = start
      while position < end {
        let next = min(end, position + chunk)
        keep(session.receive(log[position..<next].span, at: now))
        now = now + .microseconds(100)
        position = next
      }
      if let deadline = session.nextDeadline, deadline <= now + .milliseconds(900) {
        keep(session.handle(.wake, at: max(deadline, now)))
      }
      now = now + .milliseconds(900)
      start = end
    }
    return epochs
  }

  @Test func everyFixIsWithinTwoMetersOfTheTruth() throws {
    let truth = try truth()
    let complete = try epochs(chunk: 512).filter { $0.stage == .complete }
    var compared = 0
    for epoch in complete {
      let fix = try #require(epoch.fix)
      #expect(fix.suspicion == nil)
      let ofDay = fix.time.nanosecondsSinceMidnight / 1_000_000_000
      let key = String(format: "%02d%02d%02d.00", ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
      guard let position = truth[key] else { continue }
      compared += 1
      #expect(Geodesic.inverse(from: fix.coordinate, to: position).distance.value < 2, "\(key)")
    }
    // 1,627 of them have a GGA; the GGA of one more is damaged, and its RMC is not.
    #expect(compared == 1628)
  }

  @Test func epochsDoNotDependOnHowBytesAreCut() throws {
    let whole = try epochs(chunk: 4096).filter { $0.stage == .complete }
    for chunk in [64, 1000] {
      let cut = try epochs(chunk: chunk).filter { $0.stage == .complete }
      #expect(cut.count == whole.count)
      for (a, b) in zip(whole, cut) {
        #expect(a.fix?.time == b.fix?.time)
        #expect(a.fix?.coordinate == b.fix?.coordinate)
        #expect(a.fix?.horizontalRadius68 == b.fix?.horizontalRadius68)
        #expect(a.sky == b.sky)
      }
    }
  }

  @Test func promptFixesComeOnceAnEpochAndBeforeTheCompleteOne() throws {
    let all = try epochs(chunk: 512)
    var prompts = 0
    for (first, second) in zip(all, all.dropFirst()) where first.stage == .prompt {
      #expect(second.stage == .complete)
      #expect(first.fix?.time == second.fix?.time)
      prompts += 1
    }
    #expect(prompts > 1600)
  }
}
