extension SourceSelection {
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
