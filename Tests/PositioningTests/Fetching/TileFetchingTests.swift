import Geodesy
import Positioning
import Testing
import WireFormats

/// Which tiles are fetched, in which order, and how often.
@Suite struct TileFetchingTests {
  private let start = HeardStreet.start
  private let wall = HeardStreet.wall
  private static let home = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))
  private var key: TileKey { TileKey(Self.home) }

  private func tile(_ key: TileKey, _ places: [AccessPointPosition] = []) throws -> WebResponse {
    let day = try #require(CalendarDate(daysSince1970: 20_000))
    return WebResponse(status: 200, body: try AccessPointTile.encode(places, in: key, on: day))
  }

  /// A fetch that has requested the tile in the middle.
  private func begun() -> TileFetching {
    var fetching = TileFetching()
    #expect(fetching.handle(.at(Self.home), at: start, on: wall) == [.recall([key] + key.neighbours)])
    #expect(fetching.handle(.recalled([]), at: start, on: wall) == [.fetch(key)])
    return fetching
  }

  @Test func theNearestFirstAndAllOnce() throws {
    var fetching = begun()
    let place = AccessPointPosition(bssid: HeardStreet.address(1), coordinate: Self.home, radius68: Meters(30))
    let kept = fetching.handle(.replied(.answered(try tile(key, [place]))), at: start, on: wall)
    guard case .keep(key, let places)? = kept.first else {
      Issue.record("not kept")
      return
    }
    #expect(kept.count == 1 && places.map(\.bssid) == [place.bssid])
    // One at a time: the next tile is requested when this one is stored.
    #expect(fetching.handle(.at(Self.home), at: start + .seconds(1), on: wall) == [])
    var asked: [TileKey] = []
    var actions = fetching.handle(.kept, at: start, on: wall)
    while case .fetch(let next)? = actions.last {
      asked.append(next)
      // Every second tile does not exist.
      let reply = asked.count % 2 == 0 ? WebResponse(status: 404) : try tile(next)
      actions = fetching.handle(.replied(.answered(reply)), at: start, on: wall)
      if asked.count % 2 == 0 {
        #expect(actions.first == .note(next))
      } else {
        #expect(actions == [.keep(next, [])])
        actions = fetching.handle(.kept, at: start, on: wall)
      }
    }
    #expect(asked == key.neighbours)
    #expect(fetching.isDone)
    // Another position in the same tile, and one in the next tile.
    let near = Coordinate(latitude: Angle(degrees: 47.501), longitude: Angle(degrees: 8.501))
    #expect(TileKey(near) == key && fetching.handle(.at(near), at: start + .seconds(9), on: wall) == [])
    let beside = Coordinate(latitude: Angle(degrees: 47.55), longitude: Angle(degrees: 8.5))
    let other = TileKey(beside)
    #expect(
      fetching.handle(.at(beside), at: start + .seconds(9), on: wall) == [.recall([other] + other.neighbours)])
  }

  /// A stored tile is valid for a month, the note that there is none for a week.
  @Test func old() throws {
    for (note, age, isAsked) in [
      (false, 29, false), (false, 31, true), (true, 6, false), (true, 8, true), (false, -2, true),
    ] {
      var fetching = TileFetching()
      _ = fetching.handle(.at(Self.home), at: start, on: wall)
      let at = wall + .seconds(-age * 86_400)
      let notes = ([key] + key.neighbours).map { TileFetchRecord(key: $0, askedAt: at, isMissing: note) }
      #expect(fetching.handle(.recalled(notes), at: start, on: wall) == (isAsked ? [.fetch(key)] : []), "\(age)")
      #expect(fetching.handle(.recalled(notes), at: start, on: nil) == [], "nobody knows how old")
    }
    // If the machine stays, the tiles are checked once per day.
    var fetching = begun()
    #expect(fetching.handle(.at(Self.home), at: start + .seconds(3600), on: wall) == [])
    #expect(fetching.handle(.at(Self.home), at: start + .seconds(86_400), on: wall) != [])
  }

  /// A damaged tile, a wrong tile, and a wrong format: dropped and counted; the other tiles are fetched, and this one is fetched
  /// later.
  @Test func badTiles() throws {
    var damaged = try tile(key)
    damaged.body[9] ^= 1
    for bad in [
      damaged, try tile(key.neighbours[0]), WebResponse(status: 200), WebResponse(status: 200, body: [1, 2, 3]),
    ] {
      var fetching = begun()
      #expect(
        fetching.handle(.replied(.answered(bad)), at: start, on: wall) == [.fetch(key.neighbours[0])])
      #expect(fetching.badCount == 1 && fetching.problem == .badTile)
      var actions = fetching.handle(.replied(.answered(WebResponse(status: 404))), at: start, on: wall)
      while case .fetch? = actions.last {
        actions = fetching.handle(.replied(.answered(WebResponse(status: 404))), at: start, on: wall)
      }
      #expect(!fetching.isDone && fetching.problem == .badTile)
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(29), on: wall) == [])
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(30), on: wall) == [.fetch(key)])
      _ = fetching.handle(.replied(.answered(bad)), at: start + .seconds(30), on: wall)
      #expect(fetching.badCount == 2)
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(89), on: wall) == [])
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(90), on: wall) == [.fetch(key)])
      #expect(
        fetching.handle(.replied(.answered(try tile(key))), at: start + .seconds(91), on: wall) == [.keep(key, [])])
      #expect(fetching.problem == nil && fetching.badCount == 2)
    }
  }

  /// While a server fails, no other tile is requested from it.
  @Test func failures() throws {
    for (reply, wait, problem) in [
      (FetchResponse.failed(.noConnection), 30, FetchProblem.noConnection),
      (.answered(WebResponse(status: 500)), 30, .refused(status: 500)),
      (.answered(WebResponse(status: 429, retryAfter: .seconds(900))), 900, .refused(status: 429)),
      (.answered(WebResponse(status: 403)), 3600, .refused(status: 403)), (.failed(.noLibrary), 3600, .noLibrary),
    ] {
      var fetching = begun()
      #expect(fetching.handle(.replied(reply), at: start, on: wall) == [])
      #expect(fetching.problem == problem && fetching.badCount == 0)
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(wait - 1), on: wall) == [])
      #expect(fetching.handle(.at(Self.home), at: start + .seconds(wait), on: wall) == [.fetch(key)])
    }
  }

  /// If the machine has moved on meanwhile, a tile that arrives is kept, and those of the new place are requested.
  @Test func elsewhereMeanwhile() throws {
    var fetching = begun()
    let far = Coordinate(latitude: Angle(degrees: 48), longitude: Angle(degrees: 9))
    _ = fetching.handle(.at(far), at: start, on: wall)
    #expect(fetching.handle(.recalled([]), at: start, on: wall) == [])
    #expect(fetching.handle(.replied(.answered(try tile(key))), at: start, on: wall) == [.keep(key, [])])
    #expect(fetching.handle(.kept, at: start, on: wall) == [.fetch(TileKey(far))])
    // A tile that was not requested.
    var other = TileFetching()
    #expect(other.handle(.replied(.answered(try tile(key))), at: start, on: wall) == [])
    #expect(other.handle(.kept, at: start, on: wall) == [] && other.isDone)
  }
}
