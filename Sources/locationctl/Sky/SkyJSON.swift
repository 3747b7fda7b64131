import Geodesy
package import LocationIPC
import TrackFormats

/// A receiver's satellite report as one JSON object per line; unknown values are absent.
package enum SkyJSON {
  package static func line(_ report: SkyReport) -> [UInt8] {
    var object = JSONObject()
    object.add("timestamp", .text(report.time.flatMap { Timestamp($0)?.iso8601 }))
    object.add("timeConfirmed", report.time == nil ? nil : .flag(report.timeValidity == .confirmed))
    object.add("device", .text(report.device))
    object.add("receiver", .text(report.receiver))
    object.add("fix", .text(report.fix?.contractName ?? "none"))
    object.add("hdop", .number(report.hdop, decimals: 2))
    object.add("vdop", .number(report.vdop, decimals: 2))
    object.add("pdop", .number(report.pdop, decimals: 2))
    object.add("satellitesInView", .number(report.satellites?.count))
    object.add("satellitesUsed", .number(report.satellitesUsed))
    if let satellites = report.satellites {
      if report.listAge > .zero { object.add("satellitesAge", .number(report.listAge.inSeconds, decimals: 3)) }
      object.add("satellites", rawValue: JSONObject.list(satellites.map(\.jsonObject)))
    }
    object.add("simulated", report.isSimulated ? .flag(true) : nil)
    return object.line
  }
}

extension SatelliteReport {
  fileprivate var jsonObject: JSONObject {
    var object = JSONObject()
    object.add("constellation", .text(constellation.name))
    object.add("id", .number(number))
    object.add("name", .text(name))
    object.add("elevation", .number(elevationDegrees))
    object.add("azimuth", .number(azimuthDegrees))
    object.add("cn0", .number(signalDecibelHertz))
    object.add("used", isUsed.map { .flag($0) })
    object.add("healthy", isHealthy.map { .flag($0) })
    guard !signals.isEmpty else { return object }
    let each = signals.map { signal in
      var object = JSONObject()
      object.add("signal", .text(signal.name))
      object.add("cn0", .number(signal.decibelHertz))
      return object
    }
    object.add("signals", rawValue: JSONObject.list(each))
    return object
  }
}
