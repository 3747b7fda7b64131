import Geodesy

/// A source that somebody has named, and which remembered fixes are its own.
package struct NamedSource: Hashable, Sendable {
  /// As `--source` names it, without a speed.
  private let text: String
  /// Names of the one port that is meant; empty: the source is no port.
  private let paths: Set<String>
  private let isWiFi: Bool

  /// - Parameter paths: names of the one port that is meant, if the source is one.
  package init(text: String, paths: Set<String> = [], isWiFi: Bool = false) {
    (self.text, self.paths, self.isWiFi) = (text, paths, isWiFi)
  }

  /// Whether a remembered fix was given by this source. `source`: of the service that gave it; `nil`: not known.
  func gave(_ fix: PositionFix, of source: String?) -> Bool {
    if let device = fix.device, !paths.isEmpty { return paths.contains(device) }
    return source == text || isWiFi && fix.technologies == .wifi
  }
}
