/// The version of all programs of this package.
package enum Release {
  package static let current = "0.2.0"
}
