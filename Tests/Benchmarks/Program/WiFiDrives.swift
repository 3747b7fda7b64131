import Geodesy
import LocationReplay
import Positioning
import TestSupport
import WireFormats

/// Simulated drives through the access points of a real city, and the positions that the solver and its peers compute.
struct WiFiDrives {
  /// The source of the access points' positions.
  enum Source {
    /// A hundred other drives with satellite fixes, 1.6 km around the city's center.
    case learned
    /// The true positions with 25 m of noise per axis.
    case noisy
    /// The true positions with 15 m of noise per axis that neighbors have in common, over 100 m.
    case common
  }

  /// All answers by drive, and the errors of the scans that all three methods answer.
  private(set) var answers: [[EvaluatedPosition]] = []
  private(set) var errors: (own: [Double], median: [Double], ichnaea: [Double]) = ([], [], [])
  private(set) var questions: [SimulatedLife.Question] = []

  /// Each seed has its own simulation: forty drives of ten minutes, 1 km around the center, after 3 % of all access points have
  /// moved to the places of others and 10 % have new addresses.
  init(_ places: [AccessPointPosition], _ source: Source, seeds: [UInt64]) {
    for seed in seeds { drive(places, source, seed: seed) }
  }

  private mutating func drive(_ places: [AccessPointPosition], _ source: Source, seed: UInt64) {
    let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 2))
    var life = SimulatedLife(radio: SimulatedRadio(places, around: middle, seed: seed), extent: 1600)
    switch source {
    case .learned:
      for drive in 0..<100 as Range<UInt64> {
        life.learn(SimulatedLife.Drive(seconds: 900, extent: 1600, day: 20_000 + Int(drive), seed: seed + drive))
      }
    case .noisy: life.know(deviation: 25, seed: seed)
    case .common: life.know(own: 0, common: 15, seed: seed)
    }
    life.radio.move(share: source == .common ? 0.05 : 0.03, seed: seed)
    life.radio.replace(share: 0.1, seed: seed)
    for drive in 0..<40 as Range<UInt64> {
      let drive = SimulatedLife.Drive(seconds: 600, extent: 1000, day: 21_000, seed: seed + 1000 + drive)
      ask(life.questions(drive))
    }
  }

  private mutating func ask(_ drive: [SimulatedLife.Question]) {
    var track: [EvaluatedPosition] = []
    for question in drive {
      guard let answer = WiFiSolver().solve(question.observations, places: question.places, at: question.at) else {
        continue
      }
      func error(_ place: Coordinate) -> Double { Geodesic.inverse(from: place, to: question.truth).distance.value }
      let judged = EvaluatedPosition(
        time: GNSSTime(nanosecondsSince1970: question.at.nanoseconds), errorMeters: error(answer.coordinate),
        radius68Meters: answer.radius68.value)
      track.append(judged)
      guard let peers = WiFiPeers(question.observations, question.places, at: question.at), let ichnaea = peers.ichnaea
      else { continue }
      errors.own.append(judged.errorMeters)
      errors.median.append(error(peers.geometricMedian))
      errors.ichnaea.append(error(ichnaea))
    }
    questions += drive
    answers.append(track)
  }
}
