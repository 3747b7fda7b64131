import Foundation

extension NSError {
  /// What two equal errors have in common.
  func combine(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }

  /// The same as a value.
  var hashOfDomainAndCode: Int {
    var hasher = Hasher()
    combine(into: &hasher)
    return hasher.finalize()
  }
}
