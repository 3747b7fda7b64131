import Geodesy
import NetworkSources
import Testing

/// Lists of mount points.
@Suite struct SourceTableTests {
  static let table = """
    CAS;rtk2go.com;2101;NTRIP Caster;SNIP;0;USA;37.47;-121.13;0.0.0.0;0;none\r
    NET;SNIP;snip;B;N;none;none;none;none\r
    STR;MUC1;München;RTCM 3.2;1005(10),1074(1),1084(1);2;GPS+GLO;SNIP;DEU;48.14;11.58;0;0;sNTRIP;none;B;N;5200;\r
    STR;BER1;Berlin;RTCM 3.3;1006(10),1077(1);2;GPS+GAL;SNIP;DEU;52.52;13.40;1;1;VRS;none;N;Y;;misc;more\r
    STR;NOWHERE;;RTCM3;;1;GPS;;;0.00;0.00;0;0;;;D;N;x;\r
    STR;RAW;Tokyo;RAW;;0;GPS;;JPN;35.6;899.7;;;;;;;;\r
    STR;SHORT;few\r
    ENDSOURCETABLE\r

    """

  private func read(_ text: String, pieces: Int = 1000) -> (mounts: [MountPoint], reader: SourceTableReader) {
    var reader = SourceTableReader()
    var mounts: [MountPoint] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      reader.push(bytes.span.extracting(start..<min(start + pieces, bytes.count))) { mounts.append($0) }
    }
    return (mounts, reader)
  }

  @Test func rows() throws {
    let (mounts, reader) = read(Self.table)
    #expect(mounts.map(\.name) == ["MUC1", "BER1", "NOWHERE", "RAW"])
    #expect(reader.isEnded && !reader.isCut && reader.badLineCount == 1)
    let munich = try #require(mounts.first)
    #expect(munich.identifier == "München" && munich.messages == "1005(10),1074(1),1084(1)" && munich.isRTCM3)
    #expect(munich.carrier == .l1AndL2 && munich.systems == "GPS+GLO" && munich.country == "DEU")
    #expect(munich.coordinate == Coordinate(checkingLatitude: 48.14, longitude: 11.58))
    #expect(munich.needsPosition == false && munich.isNetworkSolution == false && munich.bitsPerSecond == 5200)
    #expect(munich.authentication == .basic && munich.hasFee == false)
    let berlin = mounts[1]
    #expect(berlin.needsPosition == true && berlin.isNetworkSolution == true && berlin.hasFee == true)
    #expect(berlin.authentication == MountPoint.Authentication.none && berlin.bitsPerSecond == nil)
    #expect(mounts[2].coordinate == nil && mounts[2].isRTCM3 && mounts[2].authentication == .digest)
    #expect(mounts[3].coordinate == nil && !mounts[3].isRTCM3 && mounts[3].needsPosition == nil)
    for pieces in 1...80 { #expect(read(Self.table, pieces: pieces).mounts == mounts, "\(pieces)") }
  }

  @Test func hostileRows() throws {
    let (mounts, reader) = read("STR;A\u{1B}[2J\u{9B}é;b\u{9B};;;;;;;300;0\nSTR;;;;;;;;;;\nSTR;B;;;;;;;;50;550;x\n")
    #expect(mounts.map(\.name) == ["A?[2J????", "B"] && mounts[0].identifier == "b?")
    #expect(mounts[1].coordinate == nil && mounts[0].coordinate == nil && reader.badLineCount == 1 && !reader.isEnded)
    let east = read("STR;E;;;;;;;;10;350.5;0\n").mounts[0]
    #expect(east.coordinate == Coordinate(checkingLatitude: 10, longitude: -9.5))
  }

  @Test func lastLineWithoutEnd() {
    var (mounts, reader) = read("STR;A;;;;;;;;1;1")
    #expect(mounts.isEmpty)
    reader.finish { mounts.append($0) }
    reader.finish { mounts.append($0) }
    #expect(mounts.map(\.name) == ["A"])
  }

  @Test func bounds() {
    let line = "STR;A;;;;;;;;1;1\n"
    let many = read(String(repeating: line, count: SourceTableReader.mostLines + 100))
    #expect(many.mounts.count == SourceTableReader.mostLines && many.reader.isEnded && many.reader.isCut)
    // One line without an end.
    let long = read("STR;" + String(repeating: "x", count: 100_000) + "\n" + line)
    #expect(long.mounts.count == 1 && long.reader.badLineCount == 1)
    var reader = SourceTableReader()
    let noise = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<9 { reader.push(noise.span) { _ in } }
    #expect(reader.isEnded && reader.isCut && reader.byteCount == SourceTableReader.longestTable)
  }

  @Test func nearest() throws {
    let here = try #require(Coordinate(checkingLatitude: 48.37, longitude: 10.90))
    var near = NearestMounts(named: "ber1", near: here, limit: 2)
    for mount in read(Self.table).mounts { near.add(mount) }
    #expect(near.entries.map(\.mount.name) == ["BER1", "MUC1"] && !near.hasNamed)
    #expect(near.entries[1].distance.map { (55_000...57_500).contains($0.value) } == true)
    var all = NearestMounts(named: "MUC1", near: here, limit: 10)
    for mount in read(Self.table).mounts.reversed() { all.add(mount) }
    #expect(all.entries.map(\.mount.name).prefix(2) == ["MUC1", "BER1"] && all.hasNamed && all.entries.count == 4)
    var unknown = NearestMounts(near: nil, limit: 3)
    for mount in read(Self.table).mounts { unknown.add(mount) }
    #expect(unknown.entries.map(\.mount.name) == ["MUC1", "BER1", "NOWHERE"])
  }

  @Test func listOfACaster() throws {
    for head in [
      "SOURCETABLE 200 OK\r\nServer: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", "ICY 200 OK\r\n",
    ] {
      var reader = MountListReader()
      let isComplete = try reader.receive(Array((head + Self.table).utf8).span)
      #expect(isComplete)
      let here = try #require(Coordinate(checkingLatitude: 52, longitude: 13))
      #expect(MountPoint.sorted(reader.mounts, near: here).map { $0.mount.name } == ["BER1", "MUC1", "NOWHERE", "RAW"])
    }
    var cut = MountListReader()
    let isComplete = try cut.receive(Array("SOURCETABLE 200 OK\r\nSTR;A;;;;;;;;1;1".utf8).span)
    #expect(!isComplete)
    try cut.close()
    #expect(cut.mounts.map(\.name) == ["A"])
    var empty = MountListReader()
    #expect(throws: NTRIPProblem.noAnswer) { try empty.close() }
    var page = MountListReader()
    #expect(throws: NTRIPProblem.webPage) {
      try page.receive(Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".utf8).span)
    }
    var refused = MountListReader()
    #expect(throws: NTRIPProblem.unauthorized(401)) { try refused.receive(Array("HTTP/1.0 401 x\r\n\r\n".utf8).span) }
  }
}
