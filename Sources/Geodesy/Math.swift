import Glibc

/// The elementary functions that Swift's standard library lacks; angles are in radians.
///
/// Among the pure targets only this file imports C, and all other code calls the functions here. They depend only on their
/// arguments (no state, no locale, no I/O); `errno`, which some of them set, is never read. `Double` itself provides square
/// roots, rounding and exact remainders.
package enum Math {
  package static func sin(_ x: Double) -> Double { Glibc.sin(x) }
  package static func cos(_ x: Double) -> Double { Glibc.cos(x) }
  /// The angle of the point (x, y), −π…π.
  package static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
  /// √(x² + y²) without intermediate overflow.
  package static func hypot(_ x: Double, _ y: Double) -> Double { Glibc.hypot(x, y) }
  package static func cbrt(_ x: Double) -> Double { Glibc.cbrt(x) }
  package static func exp(_ x: Double) -> Double { Glibc.exp(x) }
  /// The natural logarithm.
  package static func log(_ x: Double) -> Double { Glibc.log(x) }
  package static func sinh(_ x: Double) -> Double { Glibc.sinh(x) }
  package static func cosh(_ x: Double) -> Double { Glibc.cosh(x) }
  /// The inverse of `sinh`.
  package static func asinh(_ x: Double) -> Double { Glibc.asinh(x) }
  /// The inverse of the hyperbolic tangent, −1 < x < 1.
  package static func atanh(_ x: Double) -> Double { Glibc.atanh(x) }
  /// The error function, 2/√π ∫ e^(−t²) dt from 0 to x.
  package static func erf(_ x: Double) -> Double { Glibc.erf(x) }
}
