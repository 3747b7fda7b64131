import Fusion
import Geodesy
import LocationReplay
import TestSupport

/// Receivers with faults and receivers that report no accuracy: the errors of the service's answers, compared with the
/// receiver's own.
func faultsBenchmark(folder: String) -> Int32 {
  badVelocity()
  excursions()
  return withoutAccuracy(folder: folder)
}

/// Errors of the answers and of the receiver, meters, for each epoch.
private func errors(_ drive: FaultyDrive) -> [(answer: Double, receiver: Double)] {
  var estimator = Estimator()
  return drive.fixes.map { fix, truth in
    let answer = estimator.handle(fix, at: fix.receivedAt)?.causal ?? fix
    func meters(_ place: Coordinate) -> Double { Geodesic.inverse(from: place, to: truth).distance.value }
    return (meters(answer.coordinate), meters(fix.coordinate))
  }
}

private func rms(_ values: [Double]) -> Double { Distribution(values)?.rms ?? .nan }

private func badVelocity() {
  var (worst, answers, receivers) = (-Double.infinity, [Double](), [Double]())
  for seed in 1...8 as ClosedRange<UInt64> {
    for bad in [0, 1, 20, 100, 250, 300, 301, 350, 444, 599] {
      let all = errors(FaultyDrive(carrierPhaseFor: 600, badVelocityAt: bad, seed: seed))
      worst = max(worst, rms(all.map(\.answer)) / rms(all.map(\.receiver)))
      answers += all.map(\.answer)
      receivers += all.map(\.receiver)
    }
  }
  Figure(
    name: "carrier phase in a canyon, one velocity of 171 m/s: rms of 80 drives", value: rms(answers), unit: "m",
    reach: 1.02 * rms(receivers), peer: "raw", peerValue: rms(receivers)
  ).write()
  Figure(
    name: "the same: rms of the worst drive beyond raw", value: 100 * (worst - 1), unit: "%", reach: 2
  ).write()
}

private func excursions() {
  for velocities in FaultyDrive.Velocities.allCases {
    let name =
      switch velocities {
      case .doppler: "velocities of Doppler"
      case .ofPlaces: "velocities of the receiver's filter"
      case .absent: "no velocities"
      }
    var (most, ratio) = (0, 0.0)
    for seed in 1...20 as ClosedRange<UInt64> {
      for distance in [40.0, 75, 150] {
        let all = errors(
          FaultyDrive(excursionTo: distance, returnsAt: 200, seconds: 300, velocities: velocities, seed: seed))
        most = max(most, FaultyDrive.epochsUntilRight(from: 200, errors: all))
        ratio = max(ratio, rms(all.map(\.answer)) / rms(all.map(\.receiver)))
      }
    }
    Figure(
      name: "excursion and return, \(name): epochs until within 2 x the receiver's error, most of 60",
      value: Double(most), unit: "epochs", reach: 2
    ).write()
    Figure(name: "the same: rms of the worst drive beyond raw", value: 100 * (ratio - 1), unit: "%").write()
  }
}

private func withoutAccuracy(folder: String) -> Int32 {
  let gnss = "\(folder)/gnss"
  let tracks = [
    ReportedTrack("Hong Kong NMEA", nmea: "\(gnss)/urbannav_tst_rtklib_spp.nmea") {
      truthOfDay("\(gnss)/urbannav_tst_truth.csv", first: $0)
    },
    ReportedTrack("F9K NMEA", nmea: "\(gnss)/MTV.Local1.ublox-F9K.20200206-181434.nmea") { first in
      guard let bytes = contents(of: "\(gnss)/MTV.Local1.SPAN.20200206-181434.gga") else { return nil }
      var reader = NMEAReferenceReader()
      reader.push(bytes.span)
      return reader.reference.track(beside: .calendar, from: first)
    },
    ReportedTrack("Pixel 5", table: "\(gnss)/gsdc_20210428_pixel5_spp.csv"),
    ReportedTrack("comma2k19", table: "\(gnss)/comma2k19_ublox_live.csv"),
  ]
  for track in tracks {
    guard let track else {
      print("cannot read a track of \(gnss)")
      return 66
    }
    let (causal, raw) = track.answers()
    let (odd, oddRaw) = (ReportedTrack.reported(causal), ReportedTrack.reported(raw))
    guard let ours = Coverage(odd), let theirs = Coverage(oddRaw) else { return 65 }
    Figure(
      name: "\(track.name), dilution only, odd tenths: inside the radius, meant to be 55 to 95",
      value: 100 * ours.inside68,
      unit: "%", peer: "raw", peerValue: 100 * theirs.inside68
    ).write()
    Figure(
      name: "\(track.name): beyond 3 x the radius", value: 100 * ours.beyond3, unit: "%", reach: 6, peer: "raw",
      peerValue: 100 * theirs.beyond3
    ).write()
    Figure(
      name: "\(track.name): rms", value: rms(causal.map(\.errorMeters)), unit: "m", peer: "raw",
      peerValue: rms(raw.map(\.errorMeters))
    ).write()
  }
  return 0
}
