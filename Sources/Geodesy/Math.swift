import Glibc

/// The elementary functions that Swift's standard library lacks; angles are in radians.
///
/// This file is the one place in the pure targets that imports C: these functions depend on their arguments alone (no
/// state, no locale, no I/O), and `errno`, which some of them set, is never read. Everyone else calls them here. Square
/// roots, rounding and exact remainders are `Double`'s own.
package enum Math {
  package static func sin(_ x: Double) -> Double { Glibc.sin(x) }
  package static func cos(_ x: Double) -> Double { Glibc.cos(x) }
  package static func tan(_ x: Double) -> Double { Glibc.tan(x) }
  package static func asin(_ x: Double) -> Double { Glibc.asin(x) }
  package static func acos(_ x: Double) -> Double { Glibc.acos(x) }
  package static func atan(_ x: Double) -> Double { Glibc.atan(x) }
  /// The angle of the point (x, y), −π…π.
  package static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
  /// √(x² + y²) without overflow on the way.
  package static func hypot(_ x: Double, _ y: Double) -> Double { Glibc.hypot(x, y) }
  package static func atanh(_ x: Double) -> Double { Glibc.atanh(x) }
  package static func cbrt(_ x: Double) -> Double { Glibc.cbrt(x) }
  package static func exp(_ x: Double) -> Double { Glibc.exp(x) }
  package static func log(_ x: Double) -> Double { Glibc.log(x) }
  package static func log10(_ x: Double) -> Double { Glibc.log10(x) }
  package static func pow(_ x: Double, _ y: Double) -> Double { Glibc.pow(x, y) }
}
