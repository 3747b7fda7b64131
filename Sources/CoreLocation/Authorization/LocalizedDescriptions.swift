import Foundation

/// A program's descriptions in the user's language: `InfoPlist.strings` in the `.lproj` folder of a language, beside the program's
/// Info.plist or among its bundle's resources.
enum LocalizedDescriptions {
  /// The texts by their keys; a key that is missing keeps its text of the Info.plist.
  ///
  /// Foundation on Linux does not follow the environment in its choice of a language, so this does (gettext's order).
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

  /// The user's languages, most wanted first, each followed by the language without its region: `de_CH.UTF-8` is `de-ch`, `de`.
  /// LANGUAGE counts only where the locale is not C, as for gettext.
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
