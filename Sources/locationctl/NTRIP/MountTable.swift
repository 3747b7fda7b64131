import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import NetworkSources
import TrackFormats

/// The list of a caster's mount points.
enum MountTable {
  typealias Row = (mount: MountPoint, distance: Meters?)

  /// The last known position, if this user has access to it; `nil`: unknown. No receiver is started for it.
  static var position: Coordinate? {
    var found: Coordinate?
    _ = CommandSession.withService(.automatic, isAboutDaemon: true) { session in
      StatusRequest(session) { _, located in
        found = located?.fix.coordinate
        return .done
      }.run()
    }
    return found
  }

  /// One JSON object per line; unknown values are absent.
  static func jsonLines(_ rows: [Row]) -> [UInt8] {
    rows.flatMap { mount, distance in
      var object = JSONObject()
      object.add("mount", .text(mount.name))
      object.add("place", .text(mount.identifier))
      object.add("format", .text(mount.format))
      object.add("messages", .text(mount.messages))
      object.add("systems", .text(mount.systems))
      object.add("network", .text(mount.network))
      object.add("country", .text(mount.country))
      object.add("latitude", .number(mount.coordinate?.latitude.degrees, decimals: 4))
      object.add("longitude", .number(mount.coordinate?.longitude.degrees, decimals: 4))
      object.add("distance", .number(distance?.value, decimals: 0))
      object.add("needsPosition", mount.needsPosition.map { .flag($0) })
      object.add("usable", .flag(mount.isRTCM3))
      return object.line
    }
  }

  /// Aligned columns under a heading.
  static func table(_ rows: [Row]) -> [UInt8] {
    let heading = ["MOUNT", "KM", "FORMAT", "SYSTEMS", "POSITION", "PLACE"]
    return TextTable.aligned(
      [heading]
        + rows.map { mount, distance in
          [
            mount.name, distance.map { "\(Int(($0.value / 1000).rounded()))" } ?? "-", mount.format, mount.systems,
            mount.needsPosition == true ? "yes" : "-", mount.identifier,
          ].map { TerminalText.sanitized($0.isEmpty ? "-" : $0) }
        })
  }
}
