import GNSSReceiver
import Geodesy
import LocationIPC
import WireFormats

/// The satellites that a receiver listed last.
struct SkyList {
  /// After this long a list says nothing about the current sky. Receivers that do not list their satellites in every epoch do so
  /// every few seconds.
  static let lifetime: Duration = .seconds(60)

  private let observations: [SatelliteObservation]
  let receivedAt: Instant

  init(_ observations: [SatelliteObservation], receivedAt: Instant) {
    self.observations = observations
    self.receivedAt = receivedAt
  }

  /// How many of them are used; `nil`: the list does not say so for any of them.
  var used: Int? {
    let reported = satellites.compactMap(\.isUsed)
    return reported.isEmpty ? nil : reported.count { $0 }
  }

  /// One report per satellite, however many of its signals are listed, by constellation and number.
  var satellites: [SatelliteReport] {
    var reports: [SatelliteID: SatelliteReport] = [:]
    for detectedDevice in observations {
      let blank = SatelliteReport(
        SatelliteConstellation(detectedDevice.id.constellation), Int(detectedDevice.id.number))
      reports[detectedDevice.id, default: blank].add(detectedDevice)
    }
    return Array(
      reports.values.sorted { ($0.constellation.rank, $0.number) < ($1.constellation.rank, $1.number) }
        .prefix(SkyReport.maximumSatellites))
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

  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
