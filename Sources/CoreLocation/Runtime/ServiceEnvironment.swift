import Foundation
import LocationDaemon

/// What the environment says of the hosted service, as for the command line.
enum ServiceEnvironment {
  /// LOCATIOND_SOURCE, else whatever receiver is there; so also where it names none that there is, with a word on stderr.
  static var source: SourceSelection {
    guard let text = ProcessInfo.processInfo.environment["LOCATIOND_SOURCE"], !text.isEmpty else { return .automatic }
    guard let source = try? SourceSelection(parsing: text) else {
      warn(
        "LOCATIOND_SOURCE cannot be used: give auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE or simulator.")
      return .automatic
    }
    return source
  }

  /// LOCATIOND_GPSD: whose receivers are left to it; `nil`: `off`.
  static var gpsd: GPSDAddress? {
    switch ProcessInfo.processInfo.environment["LOCATIOND_GPSD"] {
    case nil, "": return .local
    case "off": return nil
    case let text?:
      guard let address = GPSDAddress(parsing: text) else {
        warn("LOCATIOND_GPSD is no address: give HOST:PORT, or off where no gpsd is to be minded.")
        return .local
      }
      return address
    }
  }

  private static func warn(_ sentence: String) {
    try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(sentence)\n".utf8))
  }
}
