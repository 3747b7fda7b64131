import GNSSReceiver
import Geodesy
import LocationIPC
import WireFormats

/// The satellites that a receiver listed last.
struct SkyList {
  /// After this long a list says nothing about the current sky. Receivers that do not list their satellites in every epoch do so
  /// every few seconds.
  static let lifetime: Duration = .seconds(60)

  private let sightings: [SatelliteSighting]
  let heardAt: Instant

  init(_ sightings: [SatelliteSighting], heardAt: Instant) {
    self.sightings = sightings
    self.heardAt = heardAt
  }

  /// How many of them are used; `nil`: the list does not say so for any of them.
  var used: Int? {
    let told = satellites.compactMap(\.isUsed)
    return told.isEmpty ? nil : told.count { $0 }
  }

  /// One report per satellite, however many of its signals are listed, by constellation and number.
  var satellites: [SatelliteReport] {
    var reports: [SatelliteID: SatelliteReport] = [:]
    for sighting in sightings {
      let blank = SatelliteReport(SatelliteConstellation(sighting.id.constellation), Int(sighting.id.number))
      reports[sighting.id, default: blank].take(sighting)
    }
    return Array(
      reports.values.sorted { ($0.constellation.rank, $0.number) < ($1.constellation.rank, $1.number) }
        .prefix(SkyReport.maximumSatellites))
  }
}

extension SatelliteReport {
  /// Adds one more entry of the list.
  fileprivate mutating func take(_ sighting: SatelliteSighting) {
    // Both angles must come from the same moment.
    if elevationDegrees == nil || azimuthDegrees == nil, let elevation = sighting.elevationDegrees {
      elevationDegrees = Int(elevation)
      azimuthDegrees = sighting.azimuthDegrees.map { Int($0) % 360 }
    }
    let signal = sighting.signalDecibelHertz.map { Int($0) }
    if let signal { signalDecibelHertz = max(signalDecibelHertz ?? 0, signal) }
    if let used = sighting.isUsed { isUsed = (isUsed ?? false) || used }
    // One unhealthy signal does not make the others unhealthy.
    if let healthy = sighting.isHealthy { isHealthy = (isHealthy ?? false) || healthy }
    if let name = sighting.signalName { signals.append(SatelliteSignal(name: name, decibelHertz: signal)) }
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
