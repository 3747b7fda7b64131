import Geodesy
import LocationReplay
import TestSupport
import Testing

@Suite struct PositionTableTests {
  /// The rows of a table, pushed in pieces of this many bytes.
  private func read(_ text: String, pieces: Int = 1 << 20) throws(TableError) -> [PositionRow] {
    var reader = PositionTableReader()
    var rows: [PositionRow] = []
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + pieces)
      try reader.push(bytes.span.extracting(start..<end)) { rows.append($0) }
      start = end
    }
    try reader.finish { rows.append($0) }
    return rows
  }

  private func problem(_ text: String) -> TableError? {
    do throws(TableError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [1, 2, 7, 64, 1 << 20]) func readsColumnsByNameInAnyOrder(pieces: Int) throws {
    let text =
      "\u{FEFF}note,\"lon\", LAT ,t,course,hacc,speed,true_lat,true_lon\r\n"
      + "\"a, b\",8.5,47.25,10.125,360,1.5,2,47.3,8.6\r\n\r\n"
      + "x,-180,-90,-1,,,,,8.6\n"
      + ",,,5,,,,,\n,8,47,,,,,,"
    let rows = try read(text, pieces: pieces)
    #expect(rows.count == 2)
    let first = try #require(rows.first)
    #expect(first.time == GNSSTime(nanosecondsSince1970: 10_125_000_000))
    #expect(first.coordinate == Coordinate(checkingLatitude: 47.25, longitude: 8.5))
    #expect(first.course == Angle(degrees: 0))
    #expect(first.accuracyMeters == 1.5)
    #expect(first.speedMetersPerSecond == 2)
    #expect(first.truth == Coordinate(checkingLatitude: 47.3, longitude: 8.6))
    // An incomplete truth counts as none.
    #expect(rows[1].truth == nil && rows[1].course == nil && rows[1].accuracyMeters == nil)
  }

  @Test(arguments: [
    ("", 1, TableError.Problem.empty), ("\n \n", 1, .empty),
    ("t,lat\n", 1, .missingColumn(.longitude)), ("\nt,lat,lon,t\n", 2, .repeatedColumn(.time)),
    ("t,lat,lon\n1,2\n", 2, .fieldCount(2, expected: 3)), ("t,lat,lon\n1,2,3,4\n", 2, .fieldCount(4, expected: 3)),
    ("t,lat,lon\n1,2,3\n\n1,x,3", 4, .notANumber(.latitude)), ("t,lat,lon\n1,nan,3", 2, .notANumber(.latitude)),
    ("t,lat,lon\n0x10,2,3", 2, .notANumber(.time)), ("t,lat,lon\n1e999,2,3", 2, .notANumber(.time)),
    ("t,lat,lon\n1,90.0001,3", 2, .outOfRange(.latitude)), ("t,lat,lon\n1,2,181", 2, .outOfRange(.longitude)),
    ("t,lat,lon\n9.1e9,2,3", 2, .outOfRange(.time)), ("t,lat,lon,hacc\n1,2,3,0", 2, .outOfRange(.accuracy)),
    ("t,lat,lon,speed\n1,2,3,-1", 2, .outOfRange(.speed)), ("t,lat,lon,x\n1,2,3,\"", 2, .openQuote),
  ]) func saysWhatIsWrongAndWhere(text: String, line: Int, problem: TableError.Problem) {
    let error = self.problem(text)
    #expect(error?.line == line)
    #expect(error?.problem == problem)
  }

  @Test func linesAndColumnsAreBounded() {
    let long = String(repeating: "x", count: PositionTableReader.maximumLine + 1)
    #expect(problem(long)?.problem == .lineTooLong(limit: PositionTableReader.maximumLine))
    #expect(problem("t,lat,lon\n" + long)?.line == 2)
    let wide = "t,lat,lon" + String(repeating: ",", count: PositionTableReader.maximumColumns)
    #expect(problem(wide)?.problem == .tooManyColumns(limit: PositionTableReader.maximumColumns))
  }

  /// Any bytes: rows within their ranges, or a typed error, and the same however they are cut.
  @Test func anyBytesAreReadAlikeHoweverTheyAreCut() throws {
    var random = SplitMix64(seed: 9)
    let alphabet = Array("t,lat,lon\n0123456789.-e\"\r ".utf8) + [0xFF, 0]
    for _ in 0..<300 {
      let count = Int.random(in: 0..<200, using: &random)
      var bytes = Array("t,lat,lon\n1,2,3\n".utf8)
      for _ in 0..<count { bytes.append(alphabet.randomElement(using: &random) ?? 0) }
      let text = String(decoding: bytes, as: UTF8.self)
      let pieces = Int.random(in: 1..<20, using: &random)
      let whole = Result { () throws(TableError) in try read(text) }
      #expect(whole == Result { () throws(TableError) in try read(text, pieces: pieces) })
    }
  }
}
