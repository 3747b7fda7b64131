import LinuxDevices
package import LocationdService
import NetworkSources

extension SourceSelection {
  /// The selection's text without a baud rate; stored with the fixes from that source.
  package var origin: String { if case .serial(let path, _) = self { "serial:\(path)" } else { text } }

  /// The source that the user has named, if fixes of other sources are not accepted; `nil` if any available source is.
  package var named: NamedSource? {
    switch self {
    case .automatic, .replay, .simulator, .daemon: nil
    case .receiver(let receiver):
      NamedSource(
        text: origin, paths: Set(receiver.port.map { [$0, FileTree.realPath($0) ?? $0] } ?? []))
    case .serial(let path, _): NamedSource(text: origin, paths: [path, FileTree.realPath(path) ?? path])
    case .gpsd: NamedSource(text: origin)
    case .network(let source): NamedSource(text: origin, paths: [source.text])
    case .wifi: NamedSource(text: origin, isWiFi: true)
    }
  }

  /// The selection as text, with the baud rate.
  package var text: String {
    switch self {
    case .automatic: "auto"
    case .serial(let path, let baud): "serial:\(path)" + (baud.map { "@\($0)" } ?? "")
    case .replay(let path): "replay:\(path)"
    case .gpsd(let address): "gpsd:\(address.text)"
    case .network(let source): source.text
    case .wifi: "wifi"
    case .simulator: "simulator"
    case .daemon: "locationd"
    case .receiver(let receiver): receiver.name
    }
  }
}
