/// Whether Wi-Fi may give positions.
enum WiFiStanding: Hashable, Sendable {
  /// There is no radio.
  case absent
  /// No scan has been made yet for the current requests.
  case looking
  /// The radio receives this many access points, and the position of none of them is known.
  case blind(heard: Int)
  /// The last scan gave a position.
  case seeing

  /// Whether a position may still come.
  var isPromising: Bool {
    switch self {
    case .absent, .blind: false
    case .looking, .seeing: true
    }
  }
}
