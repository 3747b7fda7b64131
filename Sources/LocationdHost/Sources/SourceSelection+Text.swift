import LinuxDevices
package import LocationdService

extension SourceSelection {
  /// As it is written, without a speed; kept beside the fixes that it gave.
  package var origin: String { if case .serial(let path, _) = self { "serial:\(path)" } else { text } }

  /// The source as one that somebody has named, for which no other's fix will do; `nil`: whatever is there.
  package var named: NamedSource? {
    switch self {
    case .automatic, .replay, .simulator, .daemon: nil
    case .serial(let path, _): NamedSource(text: origin, paths: [path, FileTree.realPath(path) ?? path])
    case .gpsd: NamedSource(text: origin)
    case .wifi: NamedSource(text: origin, isWiFi: true)
    }
  }

  /// As it is written.
  package var text: String {
    switch self {
    case .automatic: "auto"
    case .serial(let path, let baud): "serial:\(path)" + (baud.map { "@\($0)" } ?? "")
    case .replay(let path): "replay:\(path)"
    case .gpsd(let address): "gpsd:\(address.text)"
    case .wifi: "wifi"
    case .simulator: "simulator"
    case .daemon: "locationd"
    }
  }
}
