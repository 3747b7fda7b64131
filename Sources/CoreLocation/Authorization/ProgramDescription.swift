import Foundation
import LocationPolicy

/// What this program's Info.plist says of locations, read once: the one beside the executable, or of the bundle that the
/// executable is in (`Contents/Info.plist`), as Foundation finds it.
///
/// A program without one describes nothing: it cannot ask, and has what was granted to its user otherwise.
struct ProgramDescription: Sendable {
  static let shared = ProgramDescription(Bundle.main.infoDictionary ?? [:], at: Bundle.main.bundlePath)

  /// What the service is told of it.
  let usage: DeclaredUsage
  /// Whether nothing is sought for a program but by its own CLServiceSession.
  let requiresSession: Bool
  /// Whether there is an Info.plist.
  let isThere: Bool
  /// The folder in which it is, or would be.
  let folder: String

  /// All descriptions of purposes together, bytes: they go with one greeting, of at most 4096.
  private static let mostForPurposes = 3000

  init(_ values: [String: Any], at folder: String) {
    self.folder = folder
    isThere = !values.isEmpty
    requiresSession = values["NSLocationRequireExplicitServiceSession"] as? Bool ?? false
    var usage = DeclaredUsage(
      whenInUse: values["NSLocationWhenInUseUsageDescription"] as? String,
      always: values["NSLocationAlwaysAndWhenInUseUsageDescription"] as? String)
    usage.prefersReduced = values["NSLocationDefaultAccuracyReduced"] as? Bool ?? false
    usage.hasBackgroundMode = (values["UIBackgroundModes"] as? [Any] ?? []).contains { $0 as? String == "location" }
    let purposes = values["NSLocationTemporaryUsageDescriptionDictionary"] as? [String: Any] ?? [:]
    var size = 0
    for (key, text) in purposes.sorted(by: { $0.key < $1.key }) {
      guard let text = text as? String else { continue }
      size += key.utf8.count + text.utf8.count
      guard size <= Self.mostForPurposes, usage.temporaryFullAccuracy.count < DeclaredUsage.maximumPurposes else {
        break
      }
      usage.temporaryFullAccuracy[key] = text
    }
    self.usage = usage
  }

  /// What its list of what is monitored is called, as it is called itself: no longer than leaves room for a monitor's name.
  static let listName: String = {
    let name = String(ProcessInfo.processInfo.processName.unicodeScalars.filter { $0.value >= 0x20 })
    var short = ""
    for character in name {
      guard short.utf8.count + character.utf8.count <= MonitoringList.longestName / 2 else { break }
      short.append(character)
    }
    return short.isEmpty ? "program" : short
  }()

  /// Whether its updates may go on in the background: what has no Info.plist has nowhere to say so.
  var mayRunInBackground: Bool { !isThere || usage.hasBackgroundMode }

  /// The key that a request lacks; `nil`: it may be made.
  func missingKey(always: Bool) -> String? {
    if usage.whenInUse == nil { return "NSLocationWhenInUseUsageDescription" }
    if always, usage.always == nil { return "NSLocationAlwaysAndWhenInUseUsageDescription" }
    return nil
  }
}
