/// What a class of differences asks of an epoch, so that nothing else can hide in it.
enum Condition: String, Codable, CaseIterable {
  /// UBX: the receiver does not stand by its solution.
  case receiverDeniesFix
  /// UBX: the receiver's place was given to it.
  case timeOnly
  /// The last GSA says 2D.
  case dilutionSentenceSays2D
  /// No message of the epoch tells a height.
  case noHeight
  /// Fewer than four satellites are used.
  case fewerThanFourSatellites
  /// Fewer than three satellites are used.
  case fewerThanThreeSatellites
  /// gpsd has added one era (1024 weeks) or several to the receiver's date, and we none.
  case eraAddedByGPSD
  /// We have added one era or several, and gpsd none.
  case eraAddedHere
  /// gpsd has reported nothing yet.
  case beforeFirstReport
  /// gpsd reports nothing any more.
  case afterLastReport
  /// A PGRMZ tells a barometer's height, here or in the epoch before.
  case barometer
  /// Sentences without a time that say "no fix" come in the epoch before one that has both.
  case untimedNoFixBefore
  /// gpsd's report has no time, and there is no place in the stream for it.
  case untimedReport
  /// Nothing has told a date yet, and the log has none.
  case noDateYet
  /// A sentence of the epoch, or one between it and the next epoch, was refused because its type does not allow its
  /// content.
  case refusedSentence
  /// The messages of our epoch tell several times.
  case severalTimes
  /// gpsd's place is that of another sentence with the epoch's time.
  case placeOfAnotherSentence
  /// gpsd's time is that of another sentence, within the hundredth that one epoch's times may differ by.
  case timeOfAnotherSentence
  /// gpsd has reported, or we, what is later in time.
  case olderThanReported
  /// gpsd has passed on sentences of the epoch: it heard them, and reported nothing.
  case heardByGPSD
  /// GGA, GNS or NAV-PVT tell the number that we do.
  case countIsPositionSentences
  /// gpsd reports that there is no fix.
  case noFixByGPSD
  /// A list has an entry with a place in the sky and no number.
  case satelliteWithoutNumber
  /// A list's first sentences are missing from the log.
  case listWithoutBeginning
  /// Another sentence comes between those of a list.
  case listInterrupted
  /// A sentence broke off in the middle of another.
  case brokenLine
  /// Ashtech's own sentences, which are not decoded here, are among the epoch's.
  case ashtech

  func holds(at epoch: EpochContext) -> Bool {
    let played = epoch.pair.played
    switch self {
    case .receiverDeniesFix: return epoch.messages.contains(where: \.isDenied)
    case .timeOnly: return epoch.messages.contains(where: \.isTimeOnly)
    case .dilutionSentenceSays2D: return epoch.heldDimensions == 2
    case .noHeight: return !epoch.messages.contains(where: \.tellsHeight)
    case .fewerThanFourSatellites: return played?.fix?.satellitesUsed.map { $0 < 4 } ?? false
    case .fewerThanThreeSatellites: return played?.fix?.satellitesUsed.map { $0 < 3 } ?? false
    case .eraAddedByGPSD: return epoch.ahead.map { Self.isEras($0) } ?? false
    case .eraAddedHere: return epoch.ahead.map { Self.isEras(-$0) } ?? false && played?.erasAdded ?? 0 > 0
    case .beforeFirstReport: return !epoch.pairs.prefix(epoch.index).contains { $0.expected?.hasFix ?? false }
    case .afterLastReport: return !epoch.pairs.dropFirst(epoch.index + 1).contains { $0.expected != nil }
    case .barometer: return epoch.neighbourhood.contains { $0.address == "PGRMZ" }
    case .untimedNoFixBefore:
      return epoch.messages.contains { $0.saysNoFix && $0.timeOfDay == nil && $0.timeOfWeek == nil }
    case .untimedReport: return epoch.pair.expected.map { $0.time == nil } ?? false
    case .noDateYet:
      return epoch.log.date == nil && !epoch.pairs.prefix(epoch.index + 1).contains { $0.expected?.time != nil }
    case .refusedSentence:
      // A refused sentence does not count as a message: after the epoch's last message, its position is the end of the
      // range.
      guard let messages = played?.messages else { return false }
      return epoch.playback.refused.contains { messages.contains($0.position) || messages.upperBound == $0.position }
    case .severalTimes: return played.map { $0.timesOfDay.count > 1 } ?? false
    case .placeOfAnotherSentence:
      return epoch.sameTime.contains { message in
        guard let latitude = message.latitude, let longitude = message.longitude, let expected = epoch.pair.expected
        else { return false }
        return abs(latitude - (expected.latitude ?? 99)) < 1.6e-9
          && abs(longitude - (expected.longitude ?? 999)) < 1.6e-9
      }
    case .timeOfAnotherSentence:
      return epoch.sameTime.contains { $0.timeOfDay != nil && $0.timeOfDay == epoch.pair.expected?.timeOfDay }
    case .olderThanReported:
      guard let time = epoch.pair.expected?.time else { return false }
      return epoch.pairs.prefix(epoch.index).contains { $0.expected?.time ?? 0 > time }
    case .heardByGPSD: return epoch.isHeardByGPSD
    case .countIsPositionSentences:
      return epoch.messages.contains { $0.satellitesUsed != nil && $0.satellitesUsed == played?.fix?.satellitesUsed }
    case .noFixByGPSD: return epoch.pair.expected.map { !$0.hasFix } ?? false
    case .satelliteWithoutNumber:
      return epoch.messages.contains { message in
        guard message.isList, let fields = message.sentence?.split(separator: ",", omittingEmptySubsequences: false)
        else {
          return false
        }
        return stride(from: 4, to: fields.count - 3, by: 4).contains { fields[$0].isEmpty && !fields[$0 + 1].isEmpty }
      }
    case .listWithoutBeginning:
      let numbers = epoch.messages.compactMap(\.listPart).compactMap { $0.split(separator: " ").dropFirst().first }
      return !numbers.isEmpty && !numbers.contains("1")
    case .listInterrupted:
      let lists = epoch.messages.indices.filter { epoch.messages[$0].isList && epoch.messages[$0].sentence != nil }
      guard let first = lists.first, let last = lists.last else { return false }
      return epoch.messages[first...last].contains { !$0.isList }
    case .brokenLine: return epoch.hasBrokenLine
    case .ashtech: return epoch.messages.contains { $0.address == "PASHR" }
    }
  }

  private static let millisecondsPerEra = 7168 * 86_400_000

  /// One era or several, give or take an epoch.
  private static func isEras(_ milliseconds: Int) -> Bool {
    let eras = (milliseconds + millisecondsPerEra / 2) / millisecondsPerEra
    return eras > 0 && abs(milliseconds - eras * millisecondsPerEra) <= 10
  }
}
