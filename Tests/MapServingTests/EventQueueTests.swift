import Geodesy
import MapServing
import Testing

/// What a slow reader of the stream gets, and the columns of a track.
@Suite struct EventQueueTests {
  private func text(_ queue: inout EventQueue, _ count: Int = 4096) -> String {
    String(decoding: queue.take(count), as: UTF8.self)
  }

  @Test func aStreamBeginsByItself() {
    var queue = EventQueue()
    #expect(text(&queue) == "retry: 2000\n\n")
    #expect(queue.take(10).isEmpty)
  }

  @Test func onlyTheNewestPositionWaits() {
    var queue = EventQueue()
    _ = queue.take(100)
    queue.add(ServerEvent(.fix, "{\"a\":1}\n".utf8))
    queue.add(ServerEvent(.sky, "{}".utf8))
    queue.add(ServerEvent(.fix, "{\"a\":2}\n".utf8))
    #expect(text(&queue) == "event: sky\ndata: {}\n\nevent: fix\ndata: {\"a\":2}\n\n")
  }

  @Test func noEventOfARegionIsReplacedAndTheirNumberIsBounded() {
    var queue = EventQueue()
    _ = queue.take(100)
    for number in 0..<100 { queue.add(ServerEvent(.monitoring, "\(number)".utf8)) }
    let events = text(&queue, 1 << 20).split(separator: "\n\n")
    #expect(events.count == 64)
    #expect(events.last == "event: monitoring\ndata: 99")
  }

  @Test(arguments: 1...7) func partsOfAnySizeAreTheWhole(size: Int) {
    var (whole, parts) = (EventQueue(), EventQueue())
    for kind in [ServerEvent.Kind.fix, .state, .monitoring] {
      whole.add(ServerEvent(kind, "{\"text\":\"ä\"}".utf8))
      parts.add(ServerEvent(kind, "{\"text\":\"ä\"}".utf8))
    }
    var bytes: [UInt8] = []
    while case let part = parts.take(size), !part.isEmpty {
      #expect(part.count <= size)
      bytes += part
    }
    #expect(bytes == whole.take(4096))
  }

  @Test func aTrackIsWrittenAsColumns() throws {
    var columns = TrackColumns()
    func fix(_ seconds: Int64, _ latitude: Double) throws -> PositionFix {
      PositionFix(
        time: GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000), timeValidity: .confirmed,
        receivedAt: Instant(nanoseconds: 0),
        coordinate: try #require(Coordinate(checkingLatitude: latitude, longitude: 9.5)),
        horizontalRadius68: Meters(3.25),
        kind: .threeDimensional, technologies: .gnss)
    }
    columns.append(.interruption(.started))
    columns.append(.fix(try fix(1_790_000_000, 47)))
    var doubtful = try fix(1_790_000_001, 47.0000005)
    (doubtful.speedMetersPerSecond, doubtful.qualityFlag) = (1.5, .jammed)
    columns.append(.fix(doubtful))
    columns.append(.interruption(.gap))
    columns.append(.fix(try fix(1_790_000_100, 48)))
    #expect(
      String(decoding: columns.json, as: UTF8.self)
        == "{\"time\":[1790000000000,1790000001000,1790000100000],\"longitude\":[9.5,9.5,9.5],\"latitude\":[47,47.000001,48],"
        + "\"speed\":[null,1.5,null],\"radius\":[3.3,3.3,3.3],\"height\":[null,null,null],\"suspect\":[0,1,0],\"segments\":[0,2],\"cut\":false}"
    )
  }
}
