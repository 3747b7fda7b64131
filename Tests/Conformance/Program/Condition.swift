/// The condition that an epoch must meet to belong to a class of differences, so that the class hides no other difference.
enum Condition: String, Codable, CaseIterable {
  /// UBX: the receiver marks its solution as invalid.
  case receiverDeniesFix
  /// UBX: the position is fixed, because it was configured in the receiver.
  case timeOnly
  /// The last GSA reports 2D.
  case dilutionSentenceSays2D
  /// No message of the epoch contains a height.
  case noHeight
  /// Fewer than four satellites are used.
  case fewerThanFourSatellites
  /// Fewer than three satellites are used.
  case fewerThanThreeSatellites
  /// gpsd has added one era (1024 weeks) or several to the receiver's date, and this package has added none.
  case eraAddedByGPSD
  /// This package has added one era or several, and gpsd none.
  case eraAddedHere
  /// gpsd has not reported anything yet.
  case beforeFirstReport
  /// gpsd reports nothing after this epoch.
  case afterLastReport
  /// A PGRMZ contains a barometer's height, in this epoch or in the previous one.
  case barometer
  /// Sentences without a time that report "no fix" come in the epoch before one that has both.
  case untimedNoFixBefore
  /// gpsd's report has no time, and its place in the stream is unknown.
  case untimedReport
  /// No message has contained a date yet, and the log's header has none.
  case noDateYet
  /// A sentence of the epoch, or one between it and the next epoch, was refused because its type does not allow its
  /// content.
  case refusedSentence
  /// The messages of this package's epoch contain several times.
  case severalTimes
  /// gpsd's position is that of another sentence with the epoch's time.
  case placeOfAnotherSentence
  /// gpsd's time is that of another sentence, within the hundredth of a second by which the times of one epoch may differ.
  case timeOfAnotherSentence
  /// gpsd or this package has already reported an epoch with a later time.
  case olderThanReported
  /// gpsd has passed on sentences of the epoch: it received them, and reported nothing.
  case heardByGPSD
  /// GGA, GNS or NAV-PVT contain the number that this package reports.
  case countIsPositionSentences
  /// gpsd reports that there is no fix.
  case noFixByGPSD
  /// A list has an entry with a direction in the sky and without a number.
  case satelliteWithoutNumber
  /// A list's first sentences are missing from the log.
  case listWithoutBeginning
  /// Another sentence comes between those of a list.
  case listInterrupted
  /// A sentence was cut off by the beginning of another one.
  case brokenLine
  /// The epoch contains Ashtech's proprietary sentences, which are not decoded here.
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

  /// One era or several, with a tolerance of one epoch.
  private static func isEras(_ milliseconds: Int) -> Bool {
    let eras = (milliseconds + millisecondsPerEra / 2) / millisecondsPerEra
    return eras > 0 && abs(milliseconds - eras * millisecondsPerEra) <= 10
  }
}
