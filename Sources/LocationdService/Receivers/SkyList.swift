import GNSSReceiver
import Geodesy
import LocationIPC
import WireFormats

/// The satellites that a receiver listed last.
struct SkyList {
  /// After this long a list says nothing about the current sky. Receivers that do not list their satellites in every epoch do so
  /// every few seconds.
  static let lifetime: Duration = .seconds(60)

  let receivedAt: Instant
  /// One report per satellite, however many of its signals are listed, by constellation and number.
  let satellites: [SatelliteReport]
  /// How many of them are used; `nil`: the list does not say so for any of them.
  let used: Int?

  init(_ observations: [SatelliteObservation], receivedAt: Instant) {
    self.receivedAt = receivedAt
    satellites = Self.satellites(observations)
    let reported = satellites.count { $0.isUsed != nil }
    used = reported == 0 ? nil : satellites.count { $0.isUsed == true }
  }

  /// The epochs of a receiver cost most here: each report is made once, and places are sorted rather than reports.
  private static func satellites(_ observations: [SatelliteObservation]) -> [SatelliteReport] {
    var reports: [SatelliteReport] = []
    var places: [SatelliteID: Int] = [:]
    reports.reserveCapacity(observations.count)
    places.reserveCapacity(observations.count)
    for observation in observations {
      if let place = places[observation.id] {
        reports[place].add(observation)
      } else {
        places[observation.id] = reports.count
        var report = SatelliteReport(SatelliteConstellation(observation.id.constellation), Int(observation.id.number))
        report.add(observation)
        reports.append(report)
      }
    }
    let order = reports.map { (rank: $0.constellation.rawValue, number: $0.number) }
    return reports.indices.sorted { (order[$0].rank, order[$0].number) < (order[$1].rank, order[$1].number) }
      .prefix(SkyReport.maximumSatellites).map { reports[$0] }
  }
}

extension SatelliteReport {
  /// Adds one more entry of the list.
  fileprivate mutating func add(_ detectedDevice: SatelliteObservation) {
    // Both angles must come from the same moment.
    if elevationDegrees == nil || azimuthDegrees == nil, let elevation = detectedDevice.elevationDegrees {
      elevationDegrees = Int(elevation)
      azimuthDegrees = detectedDevice.azimuthDegrees.map { Int($0) % 360 }
    }
    let signal = detectedDevice.signalDecibelHertz.map { Int($0) }
    if let signal { signalDecibelHertz = max(signalDecibelHertz ?? 0, signal) }
    if let used = detectedDevice.isUsed { isUsed = (isUsed ?? false) || used }
    // One unhealthy signal does not make the others unhealthy.
    if let healthy = detectedDevice.isHealthy { isHealthy = (isHealthy ?? false) || healthy }
    if let name = detectedDevice.signalName { signals.append(SatelliteSignal(name: name, decibelHertz: signal)) }
  }
}

extension SatelliteConstellation {
  fileprivate init(_ constellation: Constellation) {
    self =
      switch constellation {
      case .gps: .gps
      case .sbas: .sbas
      case .galileo: .galileo
      case .beidou: .beidou
      case .imes: .imes
      case .qzss: .qzss
      case .glonass: .glonass
      case .navic: .navic
      }
  }
}
