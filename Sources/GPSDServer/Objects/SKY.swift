import Geodesy
import LocationIPC
import TrackFormats

/// SKY: the satellites of one receiver (gpsd_json(5), "SKY").
extension GPSDObjectBuffer {
  /// The object must not exceed `longestObject`, and a satellite needs up to 90 bytes.
  static let mostSatellites = 72

  /// The object, without a line end.
  mutating func appendSKY(_ sky: SkyReport, device: String) {
    append(SKYText.begin)
    path(SKYText.device, device)
    if sky.timeValidity == .confirmed { time(SKYText.time, sky.time) }
    number(SKYText.vdop, sky.vdop, decimals: 2)
    number(SKYText.hdop, sky.hdop, decimals: 2)
    number(SKYText.pdop, sky.pdop, decimals: 2)
    let all = sky.satellites ?? []
    let satellites = all.count > Self.mostSatellites ? Self.best(of: all) : all
    number(SKYText.count, satellites.count)
    var used = 0
    for satellite in satellites where satellite.isUsed ?? false { used += 1 }
    number(SKYText.used, used)
    append(SKYText.satellites)
    for index in satellites.indices { append(satellites[index], isFirst: index == 0) }
    append(SKYText.end)
  }

  /// At most `mostSatellites`: first those in use, then the others, the strongest signals first.
  private static func best(of satellites: [SatelliteReport]) -> [SatelliteReport] {
    let sorted = satellites.sorted { a, b in
      (a.isUsed ?? false ? 1 : 0, a.signalDecibelHertz ?? 0) > (b.isUsed ?? false ? 1 : 0, b.signalDecibelHertz ?? 0)
    }
    return Array(sorted.prefix(mostSatellites))
  }

  private mutating func append(_ satellite: SatelliteReport, isFirst: Bool) {
    write(room: 9 * Constant.roomWithNumber) { cursor in
      if !isFirst { cursor.write(UInt8(ascii: ",")) }
      func number(_ key: Constant, _ value: Int?) {
        guard let value else { return }
        cursor.write(key.text)
        FixedDecimal(value).write(to: &cursor)
      }
      number(SatelliteText.number, Self.prn(of: satellite))
      number(SatelliteText.elevation, satellite.elevationDegrees)
      number(SatelliteText.azimuth, satellite.azimuthDegrees)
      // `nil` means that no signal is received.
      number(SatelliteText.signal, satellite.signalDecibelHertz ?? 0)
      cursor.write((satellite.isUsed ?? false ? SatelliteText.isUsed : SatelliteText.isUnused).text)
      number(SatelliteText.system, Self.system(of: satellite.constellation))
      number(SatelliteText.systemNumber, satellite.number)
      // 1 healthy, 2 unhealthy; absent: unknown.
      number(SatelliteText.health, satellite.isHealthy.map { $0 ? 1 : 2 })
      cursor.write(UInt8(ascii: "}"))
    }
  }

  /// The constant text of the object.
  private enum SKYText {
    static let (begin, device, time) = (Constant(class: "SKY"), Constant(key: "device"), Constant(key: "time"))
    static let (vdop, hdop, pdop) = (Constant(key: "vdop"), Constant(key: "hdop"), Constant(key: "pdop"))
    static let (count, used) = (Constant(key: "nSat"), Constant(key: "uSat"))
    static let (satellites, end) = (Constant(",\"satellites\":["), Constant("]}"))
  }

  /// The constant text of a satellite.
  private enum SatelliteText {
    static let number = Constant("{\"PRN\":")
    static let (elevation, azimuth, signal) = (Constant(key: "el"), Constant(key: "az"), Constant(key: "ss"))
    static let (isUsed, isUnused) = (Constant(",\"used\":true"), Constant(",\"used\":false"))
    static let (system, systemNumber) = (Constant(key: "gnssid"), Constant(key: "svid"))
    static let health = Constant(key: "health")
  }

  /// gpsd's numbering of all systems together (gpsd_json(5), "SKY": the ranges of NMEA 4.0 and u-blox' extended numbering).
  static func prn(of satellite: SatelliteReport) -> Int {
    switch satellite.constellation {
    // SBAS: the PRN, from 120.
    case .gps, .sbas: satellite.number
    case .glonass: satellite.number + 64
    case .imes: satellite.number + 172
    case .qzss: satellite.number + 192
    case .galileo: satellite.number + 300
    case .beidou: satellite.number + 400
    case .navic: satellite.number + 900
    }
  }

  /// The identifiers of systems in gpsd's JSON, which are u-blox' own (UBX-21048598, section 1.5.2).
  static func system(of constellation: SatelliteConstellation) -> Int {
    switch constellation {
    case .gps: 0
    case .sbas: 1
    case .galileo: 2
    case .beidou: 3
    case .imes: 4
    case .qzss: 5
    case .glonass: 6
    case .navic: 7
    }
  }
}
