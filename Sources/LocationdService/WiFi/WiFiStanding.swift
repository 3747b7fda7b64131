/// Whether positions may come of Wi-Fi.
enum WiFiStanding: Hashable, Sendable {
  /// There is no radio.
  case absent
  /// It has not been looked yet for whoever asks now.
  case looking
  /// It hears so many access points, and knows where none of them is.
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
