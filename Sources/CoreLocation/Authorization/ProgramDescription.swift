import Foundation
import LocationPolicy

/// The location settings of this program's Info.plist, read once: from the file in the folder of the executable, or from the bundle
/// that contains the executable (`Contents/Info.plist`), as Foundation finds it.
///
/// A program without an Info.plist describes nothing: unless it states a purpose (`CLLocationManager.purpose`), it cannot request
/// authorization, and has only the access that was granted to its user in another way.
struct ProgramDescription: Sendable {
  static let shared = ProgramDescription(
    Bundle.main.infoDictionary ?? [:], at: Bundle.main.bundlePath,
    localized: LocalizedDescriptions.texts(of: .main, environment: ProcessInfo.processInfo.environment))

  /// The part that is sent to the service.
  let usage: DeclaredUsage
  /// Whether implicit sessions request no authorization, and count only together with a CLServiceSession.
  let requiresSession: Bool
  /// Whether there is an Info.plist.
  let isThere: Bool
  /// The folder that contains, or should contain, the Info.plist.
  let folder: String
  /// Whether "always" may be requested without a description of when-in-use, as with the keys of 2014 and of macOS.
  private let describesAlwaysAlone: Bool

  private enum Key {
    static let general = "NSLocationUsageDescription"
    static let whenInUse = "NSLocationWhenInUseUsageDescription"
    static let always = "NSLocationAlwaysAndWhenInUseUsageDescription"
    static let always2014 = "NSLocationAlwaysUsageDescription"
  }

  /// Maximum size of the keys and texts of all purpose descriptions together, bytes: they are part of the hello message.
  private static let mostForPurposes = 3000

  /// - Parameter localized: texts in the user's language, which take precedence over those of the Info.plist.
  init(_ values: [String: Any], at folder: String, localized: [String: String] = [:]) {
    // A localized text counts only if the Info.plist has its key, as on Apple's systems.
    func text(_ key: String) -> String? { (values[key] as? String).map { localized[key] ?? $0 } }
    self.folder = folder
    isThere = !values.isEmpty
    requiresSession = values["NSLocationRequireExplicitServiceSession"] as? Bool ?? false
    // One key for both levels (macOS; iOS 6 and 7, where it was optional).
    let general = text(Key.general)
    // The key of 2014, which needs no other key; since 2017 (iOS 11) a request for "always" needs the description of when-in-use
    // too.
    let always2014 = text(Key.always2014) ?? general
    let always = text(Key.always)
    var usage = DeclaredUsage(whenInUse: text(Key.whenInUse) ?? general, always: always ?? always2014)
    describesAlwaysAlone = always2014 != nil
    usage.prefersReduced = values["NSLocationDefaultAccuracyReduced"] as? Bool ?? false
    usage.hasBackgroundMode = (values["UIBackgroundModes"] as? [Any] ?? []).contains { $0 as? String == "location" }
    let purposes = values["NSLocationTemporaryUsageDescriptionDictionary"] as? [String: Any] ?? [:]
    var size = 0
    for (key, text) in purposes.sorted(by: { $0.key < $1.key }) {
      guard let text = (text as? String).map({ localized[key] ?? $0 }) else { continue }
      size += key.utf8.count + text.utf8.count
      guard size <= Self.mostForPurposes, usage.temporaryFullAccuracy.count < DeclaredUsage.maximumPurposes else {
        break
      }
      usage.temporaryFullAccuracy[key] = text
    }
    self.usage = usage
  }

  /// The name of the program's monitoring list, derived from the program's name: short enough to leave room for a
  /// monitor's name.
  static let listName: String = {
    let name = String(ProcessInfo.processInfo.processName.unicodeScalars.filter { $0.value >= 0x20 })
    var short = ""
    for character in name {
      guard short.utf8.count + character.utf8.count <= MonitoringList.longestName / 2 else { break }
      short.append(character)
    }
    return short.isEmpty ? "program" : short
  }()

  /// Whether the program's updates may continue in the background: always allowed without an Info.plist, because that
  /// is where the permission would be declared.
  var mayRunInBackground: Bool { !isThere || usage.hasBackgroundMode }

  /// The key that is missing in the Info.plist for a request; `nil` if the request is allowed.
  func missingKey(always: Bool) -> String? {
    if always, describesAlwaysAlone { return nil }
    if usage.whenInUse == nil { return Key.whenInUse }
    if always, usage.always == nil { return Key.always }
    return nil
  }
}

/// A program's descriptions in the user's language: `InfoPlist.strings` in a language's `.lproj` folder, in the folder of the
/// program's Info.plist or in its bundle's resources.
enum LocalizedDescriptions {
  /// The texts by key; for a missing key, the text in the Info.plist applies.
  ///
  /// Foundation on Linux ignores the environment when it chooses a language, so this function evaluates it (gettext's order).
  static func texts(of bundle: Bundle, environment: [String: String]) -> [String: String] {
    let known = Dictionary(bundle.localizations.map { (folded($0), $0) }) { first, _ in first }
    let fallback = (bundle.infoDictionary?["CFBundleDevelopmentRegion"] as? String).map { [folded($0)] } ?? []
    for language in languages(environment) + fallback + ["base"] {
      guard let folder = known[language],
        let path = bundle.path(
          forResource: "InfoPlist", ofType: "strings", inDirectory: nil, forLocalization: folder),
        let data = FileManager.default.contents(atPath: path),
        let texts = try? PropertyListDecoder().decode([String: String].self, from: data)
      else { continue }
      return texts
    }
    return [:]
  }

  /// The user's languages in order of preference, each followed by the language without its region: `de_CH.UTF-8` gives `de-ch`,
  /// `de`. LANGUAGE counts only if the locale is not C, as for gettext.
  static func languages(_ environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    guard !["C", "POSIX"].contains(locale.prefix { $0 != "." }) else { return [] }
    let names = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
    return names.flatMap { name -> [String] in
      let full = folded(String(name.prefix { $0 != "." && $0 != "@" }))
      let language = String(full.prefix { $0 != "-" })
      return full == language ? [language] : [full, language]
    }
  }

  private static func folded(_ name: String) -> String { name.replacing("_", with: "-").lowercased() }
}
