import Geodesy
import LocationIPC

/// VERSION, WATCH, ERROR and POLL (gpsd_json(5)), each with its line end.
extension GPSDObjectBuffer {
  /// A release of gpsd with the version of its protocol: clients compare these numbers.
  private static let (release, protocolMajor, protocolMinor) = ("3.25", 3, 15)

  mutating func appendVersion() {
    open("VERSION")
    text("release", Self.release)
    text("rev", "locationd \(Release.current)")
    number("proto_major", Self.protocolMajor)
    number("proto_minor", Self.protocolMinor)
    close()
    endLine()
  }

  mutating func appendWatch(_ policy: GPSDWatchPolicy) {
    open("WATCH")
    flag("enable", policy.isOn)
    flag("json", policy.json)
    flag("nmea", policy.nmea)
    number("raw", policy.raw)
    flag("scaled", policy.scaled)
    flag("timing", policy.timing)
    flag("split24", policy.split24)
    flag("pps", policy.pps)
    if let device = policy.device { path("device", device) }
    close()
    endLine()
  }

  /// - Parameter quoted: text of the client, which follows `message` in quotation marks.
  mutating func appendError(_ message: String, quoted: String? = nil) {
    open("ERROR")
    key("message")
    append("\"")
    append(escaping: message, longest: 200)
    if let quoted {
      append(" '")
      append(escaping: quoted, longest: 80)
      append("'")
    }
    append("\"")
    close()
    endLine()
  }

  /// - Parameters:
  ///   - epoch: `nil`: no device is active.
  ///   - time: the reading of the machine's clock.
  mutating func appendPoll(
    _ epoch: GPSDEpoch?, device: String, access: GPSDAccess, time: GNSSTime, at now: Instant
  ) {
    open("POLL")
    self.time("time", time)
    number("active", epoch == nil ? 0 : 1)
    append(",\"tpv\":[")
    if let epoch { appendTPV(epoch, device: device, access: access, at: now) }
    append("],\"gst\":[")
    if let epoch { _ = appendGST(epoch, device: device, access: access, at: now) }
    append("],\"sky\":[")
    if let epoch {
      if access == .full, let sky = epoch.sky, sky.satellites != nil {
        appendSKY(sky, device: sky.device)
      } else {
        // gpsd-py3 fails if the list is empty.
        open("SKY")
        path("device", device)
        close()
      }
    }
    append("]")
    close()
    endLine()
  }
}
