/// What a client says that it wants location for, in the person's words (the usage descriptions of its Info.plist, or
/// `--purpose`); a request for a level without its description is ignored.
package struct DeclaredUsage: Hashable, Sendable {
  /// NSLocationWhenInUseUsageDescription, else NSLocationUsageDescription.
  package var whenInUse: String?
  /// NSLocationAlwaysAndWhenInUseUsageDescription, else the older NSLocationAlwaysUsageDescription or NSLocationUsageDescription.
  package var always: String?
  /// NSLocationTemporaryUsageDescriptionDictionary; the first 16 by their keys are kept.
  package var temporaryFullAccuracy: [String: String] = [:]
  /// NSLocationDefaultAccuracyReduced.
  package var prefersReduced = false
  /// UIBackgroundModes has `location`.
  package var hasBackgroundMode = false

  package init(whenInUse: String? = nil, always: String? = nil) {
    self.whenInUse = whenInUse
    self.always = always
  }

  /// More purposes of temporary full accuracy are not kept.
  package static let maximumPurposes = 16

  /// The same with texts that can be shown and kept.
  var cleaned: DeclaredUsage {
    var usage = self
    usage.whenInUse = ShownText.of(whenInUse)
    usage.always = ShownText.of(always)
    usage.temporaryFullAccuracy = [:]
    for (key, text) in temporaryFullAccuracy.sorted(by: { $0.key < $1.key }).prefix(Self.maximumPurposes) {
      guard let key = ShownText.of(key), let text = ShownText.of(text) else { continue }
      usage.temporaryFullAccuracy[key] = text
    }
    return usage
  }
}
