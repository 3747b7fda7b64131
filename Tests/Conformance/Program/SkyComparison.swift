/// Compares two lists of satellites: which satellites, where in the sky, and how strong.
struct SkyComparison {
  let found: [(Difference, String)]

  init(_ sky: EpochPair.Sky) {
    func name(_ constellation: Int, _ number: Int) -> Int { constellation * 1000 + number }
    let theirs = Dictionary(grouping: sky.expected) { name($0.constellation, $0.number) }
    let ours = Dictionary(grouping: sky.played) { name($0.constellation, $0.number) }
    var found: [(Difference, String)] = []
    let onlyTheirs = theirs.keys.filter { ours[$0] == nil }.sorted()
    let onlyOurs = ours.keys.filter { theirs[$0] == nil }.sorted()
    if !onlyTheirs.isEmpty || !onlyOurs.isEmpty {
      found.append((.satellites, "only gpsd \(onlyTheirs), only here \(onlyOurs)"))
    }
    for key in ours.keys.sorted() {
      guard let mine = ours[key], let others = theirs[key] else { continue }
      for satellite in mine { found += Self.compare(satellite, with: others, key) }
    }
    self.found = found
  }

  /// It is enough if one of gpsd's entries is equal: a satellite may be listed with several signals. gpsd reports values that a
  /// list omits as zero.
  private static func compare(
    _ mine: PlayedMessage.Satellite, with others: [ExpectedReport.Satellite], _ key: Int
  ) -> [(Difference, String)] {
    var found: [(Difference, String)] = []
    if let elevation = mine.elevation, (-90...90).contains(elevation),
      !others.contains(where: { abs(($0.elevation ?? 0) - Double(elevation)) < 1 })
    {
      found.append((.elevation, "\(key): \(others[0].elevation ?? 0), here \(elevation)"))
    }
    if let azimuth = mine.azimuth, (0...360).contains(azimuth),
      !others.contains(where: { abs(($0.azimuth ?? 0) - Double(azimuth)) < 1 || azimuth == 360 && $0.azimuth == 0 })
    {
      found.append((.azimuth, "\(key): \(others[0].azimuth ?? 0), here \(azimuth)"))
    }
    if !others.contains(where: { abs($0.signal - Double(mine.signal)) < 1 }) {
      found.append((.signal, "\(key): \(others[0].signal), here \(mine.signal)"))
    }
    if let isUsed = mine.isUsed, !others.contains(where: { $0.isUsed == isUsed }) {
      found.append((.used, "\(key): \(others[0].isUsed), here \(isUsed)"))
    }
    return found
  }
}
