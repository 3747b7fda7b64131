import Foundation
import Geodesy

/// gpsd's reports about a log, as stored beside the log in gpsd's own test.
struct ExpectedLog {
  private(set) var reports: [ExpectedReport] = []
  /// The messages of the log that gpsd has passed on.
  private(set) var passedOn: Set<Int> = []
  private(set) var skies: [ExpectedReport.Sky] = []

  /// `sentences`: the text of each message of the log, if it is NMEA; gpsd prints the sentences that it passes on, and thereby
  /// shows a report's place in the log.
  init(data: Data, sentences: [String?]) {
    var position = 0
    var followsSentence = false
    for line in data.split(separator: UInt8(ascii: "\n")) {
      if line.first == UInt8(ascii: "{") {
        guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any] else { continue }
        receive(object, at: position, followsSentence: followsSentence)
      } else {
        followsSentence = false
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if let found = Self.find(text, in: sentences, from: position) {
          passedOn.insert(found)
          position = found + 1
          followsSentence = true
        }
      }
    }
  }

  /// How far ahead a sentence that was passed on is searched for; sentences that are not found are gpsd's own, made from binary
  /// messages.
  private static let horizon = 60

  private static func find(_ text: String, in sentences: [String?], from start: Int) -> Int? {
    let end = min(sentences.count, start + horizon)
    guard start < end else { return nil }
    return sentences[start..<end].firstIndex { $0 == text }
  }

  private mutating func receive(_ object: [String: Any], at position: Int, followsSentence: Bool) {
    switch object["class"] as? String {
    case "TPV": report(object, at: position)
    case "SKY": sky(object, at: position, followsSentence: followsSentence)
    default: break
    }
  }

  private mutating func report(_ object: [String: Any], at position: Int) {
    let report = ExpectedReport(
      mode: object["mode"] as? Int ?? 0, time: (object["time"] as? String).flatMap(Self.milliseconds),
      latitude: object["lat"] as? Double, longitude: object["lon"] as? Double,
      heightAboveEllipsoid: object["altHAE"] as? Double, heightAboveMeanSeaLevel: object["altMSL"] as? Double,
      firstPosition: position, lastPosition: position)
    // Mode 0: only a time, and no information about a fix.
    guard report.mode > 0 else { return }
    reports.append(report)
  }

  private mutating func sky(_ object: [String: Any], at position: Int, followsSentence: Bool) {
    let list = object["satellites"] as? [[String: Any]]
    skies.append(
      ExpectedReport.Sky(
        satellites: list.map { $0.map(Self.satellite) }, used: object["uSat"] as? Int, position: position,
        followsSentence: followsSentence,
        timeOfDay: (object["time"] as? String).flatMap(Self.milliseconds).map { $0 % 86_400_000 }))
  }

  private static func satellite(_ object: [String: Any]) -> ExpectedReport.Satellite {
    ExpectedReport.Satellite(
      constellation: object["gnssid"] as? Int ?? -1, number: object["svid"] as? Int ?? object["PRN"] as? Int ?? 0,
      elevation: object["el"] as? Double, azimuth: object["az"] as? Double, signal: object["ss"] as? Double ?? 0,
      isUsed: object["used"] as? Bool ?? false)
  }

  /// `2009-12-09T15:25:05.000Z`.
  private static func milliseconds(_ text: String) -> Int? {
    let parts = text.split { "-T:Z".contains($0) }
    guard parts.count == 6, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let hour = Int(parts[3]), let minute = Int(parts[4]), let seconds = Double(parts[5]),
      let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    return ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60_000 + Int((seconds * 1000).rounded())
  }
}
