import WireFormats

/// What the latest lists of satellites say, whichever messages they come by.
struct SkyEvidence: Sendable {
  /// Lists are told apart by talker and signal; more kinds than this are none.
  private static let maximumLists = 64

  private struct List: Sendable {
    /// How many times it had begun; one that falls behind the others is not told any more.
    var round: Int
    var heard = 0
    var strongest = 0
  }

  private var lists: [Int: List] = [:]
  private(set) var listsSatellites = false

  /// Satellites, or signals, that are heard.
  var heard: Int { lists.values.reduce(0) { $0 + $1.heard } }
  /// dB-Hz; `nil`: none is heard.
  var strongest: Int? { lists.values.map(\.strongest).filter { $0 > 0 }.max() }

  mutating func take(_ gsv: GSV, from talker: Talker) {
    let key = 1 + (Int(talker.rawValue) << 8 | Int(gsv.signal ?? 0))
    if gsv.sentence == 1 { begin(key) }
    for index in 0..<Int(min(gsv.count, 4)) { note(gsv.satellites[index].signalDecibelHertz, in: key) }
  }

  /// UBX-NAV-SAT and NAV-SVINFO: the head of a list.
  mutating func beginUBX() { begin(0) }
  mutating func takeUBX(_ satellite: NavSatellite) { note(satellite.signalDecibelHertz, in: 0) }

  private mutating func begin(_ key: Int) {
    listsSatellites = true
    guard lists.count < Self.maximumLists || lists[key] != nil else { return }
    let latest = lists.values.map(\.round).max() ?? 0
    let round = lists[key].map { $0.round + 1 } ?? latest
    lists[key] = List(round: round)
    if round > latest { lists = lists.filter { $0.value.round >= round - 1 } }
  }

  private mutating func note(_ signal: UInt8?, in key: Int) {
    guard let signal, signal > 0, var list = lists[key] else { return }
    list.heard += 1
    list.strongest = max(list.strongest, Int(signal))
    lists[key] = list
  }
}
