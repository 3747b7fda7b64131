import Fusion
import Geodesy
import LocationReplay

/// Recorded tracks of one receiver in one town, with their references, and which parts of them are used for tuning.
struct AccuracySet {
  /// What the receiver does, which decides what is expected of the answers.
  enum Kind {
    /// It filters its positions: the answers must not be worse.
    case filtered
    /// It reports single points with an accuracy.
    case reported
    /// It reports single points with a dilution, or with nothing.
    case unreported
  }

  let name: String
  let kind: Kind
  let tracks: [ReportedTrack]
  /// What is expected of the answers against raw, in percent: rms, p95, and rms five seconds later.
  let reach: (rms: Double, p95: Double, lagged: Double?)

  /// The sets in the folder of recorded receivers; `nil` if one of them cannot be read.
  static func all(in folder: String) -> [AccuracySet]? {
    func tables(
      _ name: String, _ kind: Kind, _ files: [String], _ reach: (rms: Double, p95: Double, lagged: Double?)
    ) -> AccuracySet? {
      let tracks = files.compactMap { ReportedTrack(name, asRecorded: "\(folder)/\($0).csv") }
      return tracks.count == files.count ? AccuracySet(name: name, kind: kind, tracks: tracks, reach: reach) : nil
    }
    func hongKong() -> AccuracySet? {
      let track = ReportedTrack("Hong Kong NMEA", nmea: "\(folder)/urbannav_tst_rtklib_spp.nmea") {
        truthOfDay("\(folder)/urbannav_tst_truth.csv", first: $0)
      }
      return track.map { AccuracySet(name: $0.name, kind: .unreported, tracks: [$0], reach: (0, 0, nil)) }
    }
    let sets = [
      tables("F9K", .filtered, ["mtv_f9k_rtk"], (2, 2, 2)),
      tables("comma2k19", .filtered, ["comma2k19_ublox_live"], (2, 2, 2)),
      tables("Nagoya", .reported, ["nagoya_gtsam_spp"], (-60, 0, -65)),
      tables("Hong Kong CSV", .reported, ["urbannav_hk_tst"], (-12, 0, -27)),
      tables("Pixel 5", .reported, ["gsdc_20210428_pixel5_spp"], (-22, 0, -42)),
      hongKong(),
      tables("San Jose", .unreported, ["sjc_20210422_wls", "sjc_20210428_wls", "sjc_20210429_wls"], (0, 0, -13)),
    ]
    let read = sets.compactMap { $0 }
    return read.count == sets.count ? read : nil
  }
}

/// The halves of each track: its even tenths, counted from 0, are used for tuning, its odd tenths for the reported figures.
///
/// A tenth is longer than the correlation time of the errors (10 to 170 s of tracks whose errors last 5 to 40 s), and both halves
/// contain the beginning and the end of a track. This split is fixed: a constant must not be chosen by the odd tenths.
enum AccuracyHalf: CaseIterable {
  /// The even tenths.
  case tuning
  /// The odd tenths.
  case reporting

  /// The answers of this half; `raw` are the receiver's own positions of the same track, whose times determine the tenths.
  func of(_ answers: [EvaluatedPosition], raw: [EvaluatedPosition]) -> [EvaluatedPosition] {
    let starts = (0..<10).compactMap { raw.isEmpty ? nil : raw[$0 * raw.count / 10].time }
    return answers.filter { answer in
      let tenth = (starts.firstIndex { $0 > answer.time } ?? starts.count) - 1
      return (max(0, tenth) % 2 == 0) == (self == .tuning)
    }
  }
}
