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

  /// Runs in every epoch. A list has some tens of entries, most of them in order, for which a sorted array costs less than a dictionary.
  private static func satellites(_ observations: [SatelliteObservation]) -> [SatelliteReport] {
    var reports: [SatelliteReport] = []
    reports.reserveCapacity(observations.count)
    for observation in observations {
      let constellation = SatelliteConstellation(observation.id.constellation)
      let number = Int(observation.id.number)
      let key = (constellation.rawValue, number)
      // The place behind all satellites that come earlier in the order.
      var place = reports.count
      while place > 0, key <= (reports[place - 1].constellation.rawValue, reports[place - 1].number) { place -= 1 }
      if place == reports.count || key != (reports[place].constellation.rawValue, reports[place].number) {
        reports.insert(SatelliteReport(constellation, number), at: place)
      }
      reports[place].add(observation)
    }
    if reports.count > SkyReport.maximumSatellites {
      reports.removeLast(reports.count - SkyReport.maximumSatellites)
    }
    return reports
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
