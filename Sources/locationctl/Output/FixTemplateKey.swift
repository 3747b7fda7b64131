import Geodesy
package import TrackFormats

/// A template for fixes.
package typealias OutputTemplate = KeyTemplate<FixTemplateKey>

/// A key of a template for fixes: a JSON key, or a notation of the position.
package enum FixTemplateKey: TemplateKey {
  case key(FixKey)
  case notation(CoordinateStyle)

  package init?(name: String) {
    if let key = FixKey(rawValue: name) {
      self = .key(key)
    } else if let style = Self.notations.first(where: { $0.key == name }) {
      self = .notation(style)
    } else {
      return nil
    }
  }

  package static var names: [String] { FixKey.allCases.map(\.rawValue) + notations.compactMap(\.key) }

  package func value(of located: LocatedFix) -> OutputValue? {
    switch self {
    case .key(let key): key.value(of: located)
    case .notation(let style): .text(style.text(located.fix.coordinate))
    }
  }

  private static let notations = CoordinateNotation.allCases.map { CoordinateStyle($0) }.filter { $0.key != nil }
}
