/// What a client says that it wants location for, in the person's words (the usage descriptions of its Info.plist, or
/// `--purpose`); a request for a level without its description is ignored.
package struct DeclaredUsage: Hashable, Sendable {
  /// NSLocationWhenInUseUsageDescription.
  package var whenInUse: String?
  /// NSLocationAlwaysAndWhenInUseUsageDescription.
  package var always: String?
  /// NSLocationTemporaryUsageDescriptionDictionary.
  package var temporaryFullAccuracy: [String: String] = [:]
  /// NSLocationDefaultAccuracyReduced.
  package var prefersReduced = false
  /// UIBackgroundModes has `location`.
  package var hasBackgroundMode = false

  package init(whenInUse: String? = nil, always: String? = nil) {
    self.whenInUse = whenInUse
    self.always = always
  }
}
