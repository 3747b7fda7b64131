import Geodesy
import LinuxIO
import LocationReplay

/// The arguments of `simulated-ublox`.
struct Arguments {
  var configuration = SimulatedReceiver.Configuration()
  /// Bytes that are sent every second beside the receiver's own.
  var extra: [UInt8] = []
  /// Whether they are sent only after the driver has written something.
  var waitsForDriver = false
  /// Whether the receiver itself sends nothing.
  var isMute = false

  static let usage = """
    usage: simulated-ublox DIALECT [hot] [SECONDS] [rate=HERTZ] [driving] [rollover] [frozen=FROM-TO] [stall=FROM-TO] \
    [lost=FROM-TO] [corruption=EVERY] [garbage=BYTES] [keeps=SECONDS] [overconfident=FACTOR] [send=HEX] [written] [mute] [rtk] [rtk-off]
    """

  /// `nil`: they are wrong.
  init?(_ words: some Collection<String>) {
    guard let dialect = words.first.flatMap(Dialect.init(rawValue:)) else { return nil }
    configuration.dialect = dialect
    configuration.isFactorySet = true
    configuration.coldStart = .cold
    configuration.announcesSimulation = false
    let clock = WallClock.now().nanosecondsSince1970
    configuration.startTime = GNSSTime(nanosecondsSince1970: clock - clock % 1_000_000_000)
    for word in words.dropFirst() where !accept(word) { return nil }
  }

  private mutating func accept(_ word: String) -> Bool {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count == 2 ? parts[1] : nil) {
    case ("hot", nil): configuration.coldStart = .hot
    case ("mute", nil): isMute = true
    case ("driving", nil):
      configuration.trajectory = .line(
        from: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455), course: Angle(degrees: 40),
        metersPerSecond: 12)
    case ("rollover", nil): configuration.faults.append(.weekRollover)
    case ("rate", let value?): return Int(value).map { configuration.rateHertz = $0 } != nil
    case ("corruption", let value?):
      return Int(value).map { configuration.faults.append(.corruption(every: $0)) } != nil
    case ("garbage", let value?):
      return Int(value).map { configuration.faults.append(.garbage(.zero ..< .seconds(86_400), bytes: $0)) } != nil
    case ("keeps", let value?):
      return Int(value).map { configuration.faults.append(.refusedSettingsAfter(.seconds($0))) } != nil
    case ("overconfident", let value?):
      return Double(value).map { configuration.faults.append(.overconfidence(factor: $0)) } != nil
    case ("rtk", nil): configuration.takesCorrections = true
    case ("rtk-off", nil): (configuration.takesCorrections, configuration.hasCorrectionInput) = (true, false)
    case ("written", nil): waitsForDriver = true
    case ("frozen", let value?): return interval(value).map { configuration.faults.append(.frozenPosition($0)) } != nil
    case ("stall", let value?): return interval(value).map { configuration.faults.append(.stall($0)) } != nil
    case ("lost", let value?): return interval(value).map { configuration.faults.append(.lossOfFix($0)) } != nil
    case ("send", let value?):
      let digits = value.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      guard digits.count == value.utf8.count, digits.count.isMultiple(of: 2) else { return false }
      extra = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    case (let text?, nil):
      guard let seconds = Int64(text) else { return false }
      configuration.startTime = GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000)
    default: return false
    }
    return true
  }

  /// Seconds since power-on: `5-20`.
  private func interval(_ text: String) -> Range<Duration>? {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    return ends.count == 2 && ends[0] < ends[1] ? .seconds(ends[0]) ..< .seconds(ends[1]) : nil
  }
}
