import Fleet
import FleetDestinations
import LocationIPC
import LocationdRecords
import Testing

/// Events of regions, which the monitoring stores until they are in the outboxes.
@Suite struct FleetEventTests {
  /// The monitoring repeats what it does not know to be on the disk.
  @Test func aRepeatedEventIsInTheOutboxOnce() throws {
    let folder = try TemporaryFolder()
    let bed = FleetBed(folder.path)
    bed.ask(.add(try FleetBed.destination { ($0.sendsEvents, $0.eventUsers) = (true, [1000]) }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    let sent = FleetBed.messages(bed.happened(try FleetBed.crossing("home"), 7))
    #expect(sent.map(\.kind) == [.event] && FleetBed.recorded(bed.reports) == [7])
    bed.helper(link, .answered(try #require(sent.first).id, .mqtt(0)))
    #expect(FleetBed.messages(bed.happened(try FleetBed.crossing("home"), 7, isRepeated: true)).isEmpty)
    #expect(FleetBed.recorded(bed.reports) == [7])
    bed.handle(.end)
    let again = FleetBed(folder.path)
    again.handle(.begin)
    let other = try #require(again.link)
    again.helper(other, .connected(FleetSession(version: 5)))
    for (number, count) in [(7, 0), (8, 1), (8, 0)] {
      let sent = FleetBed.messages(again.happened(try FleetBed.crossing("home"), UInt64(number), isRepeated: true))
      #expect(sent.count == count && FleetBed.recorded(again.reports) == [UInt64(number)])
      for message in sent { again.helper(other, .answered(message.id, .mqtt(0))) }
    }
    // After the monitoring's database was deleted, its numbers begin again.
    #expect(FleetBed.messages(again.happened(try FleetBed.crossing("home", isEntry: false), 1)).count == 1)
  }

  /// An exit without its entry, or the other way around, would leave Home Assistant with the wrong state.
  @Test func eventsThatCannotBeRecordedAreTriedAgainInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let bed = FleetBed(folder.path)
    bed.ask(.add(try FleetBed.destination { ($0.sendsEvents, $0.eventUsers) = (true, [1000]) }))
    let link = try #require(bed.link)
    bed.helper(link, .connected(FleetSession(version: 5)))
    bed.clock.time = nil
    #expect(FleetBed.recorded(bed.happened(try FleetBed.crossing("home"), 1)).isEmpty)
    bed.clock.time = FleetBed.Clock.time
    #expect(FleetBed.recorded(bed.happened(try FleetBed.crossing("home", isEntry: false), 2)).isEmpty)
    // The same events, which are still waiting.
    #expect(FleetBed.recorded(bed.happened(try FleetBed.crossing("home"), 1, isRepeated: true)).isEmpty)
    for _ in 0..<5 where FleetBed.recorded(bed.reports).isEmpty { bed.wake() }
    #expect(FleetBed.recorded(bed.reports) == [1, 2])
    for _ in 0..<5 { #expect(FleetBed.recorded(bed.wake()).isEmpty) }
  }

  /// Without a destination that wants an event, the monitoring need not store it any longer.
  @Test func anEventThatNoDestinationWantsIsDone() throws {
    let folder = try TemporaryFolder()
    let bed = FleetBed(folder.path)
    bed.ask(.add(try FleetBed.destination()))
    #expect(FleetBed.recorded(bed.happened(try FleetBed.crossing("home"), 3)) == [3])
  }
}
