import Foundation
import LocationPolicy
import Testing

@testable import CoreLocation

/// Which Info.plist keys, from all versions of Apple's systems, describe which kind of access.
@Suite struct ProgramDescriptionTests {
  private func description(_ keys: String..., localized: [String: String] = [:]) -> ProgramDescription {
    ProgramDescription(
      Dictionary(uniqueKeysWithValues: keys.map { ($0, "The text of \($0).") }), at: "/app", localized: localized)
  }

  @Test func theKeysOf2017AreNeededTogether() {
    let both = description("NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription")
    #expect(both.missingKey(always: false) == nil && both.missingKey(always: true) == nil)
    let always = description("NSLocationAlwaysAndWhenInUseUsageDescription")
    #expect(always.missingKey(always: true) == "NSLocationWhenInUseUsageDescription")
    let inUse = description("NSLocationWhenInUseUsageDescription")
    #expect(inUse.missingKey(always: true) == "NSLocationAlwaysAndWhenInUseUsageDescription")
  }

  @Test func theKeyOf2014IsEnoughForAlways() {
    let old = description("NSLocationAlwaysUsageDescription")
    #expect(old.missingKey(always: true) == nil)
    #expect(old.usage.always == "The text of NSLocationAlwaysUsageDescription." && old.usage.whenInUse == nil)
    #expect(old.missingKey(always: false) == "NSLocationWhenInUseUsageDescription")
    let new = description("NSLocationAlwaysUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription")
    #expect(new.usage.always == "The text of NSLocationAlwaysAndWhenInUseUsageDescription.")
  }

  @Test func theKeyOfMacOSIsEnoughForBoth() {
    let general = description("NSLocationUsageDescription")
    #expect(general.missingKey(always: false) == nil && general.missingKey(always: true) == nil)
    #expect(general.usage.whenInUse == "The text of NSLocationUsageDescription.")
    #expect(general.usage.always == general.usage.whenInUse)
    let special = description("NSLocationUsageDescription", "NSLocationWhenInUseUsageDescription")
    #expect(special.usage.whenInUse == "The text of NSLocationWhenInUseUsageDescription.")
  }

  @Test func aTranslationGoesFirstAndAddsNoKey() {
    let translated = description(
      "NSLocationWhenInUseUsageDescription",
      localized: ["NSLocationWhenInUseUsageDescription": "Warum.", "NSLocationUsageDescription": "Wozu."])
    #expect(translated.usage.whenInUse == "Warum." && translated.usage.always == nil)
  }

  @Test(
    arguments: [
      (["LANG": "de_CH.UTF-8"], ["de-ch", "de"]), (["LANG": "en_US.UTF-8", "LC_ALL": "fr"], ["fr"]),
      (["LANG": "en_US.UTF-8", "LC_MESSAGES": "it_IT@euro"], ["it-it", "it"]),
      (["LANGUAGE": "de_AT:fr", "LANG": "en_GB"], ["de-at", "de", "fr", "en-gb", "en"]),
      (["LANGUAGE": "de", "LC_ALL": "C.UTF-8"], []), ([:], []),
    ] as [([String: String], [String])])
  func languagesAreThoseOfTheEnvironment(environment: [String: String], languages: [String]) {
    #expect(LocalizedDescriptions.languages(environment) == languages)
  }

  @Test func textsComeFromTheLanguagesFolder() throws {
    let folder = try TemporaryFolder()
    func add(_ file: String, _ text: String) throws {
      let url = folder.url.appendingPathComponent(file)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try add(
      "Info.plist",
      "<plist version=\"1.0\"><dict><key>CFBundleDevelopmentRegion</key><string>en</string></dict></plist>")
    try add("de.lproj/InfoPlist.strings", "/* Why. */ \"NSLocationUsageDescription\" = \"Für \\\"den Weg\\\".\";\n")
    try add("en.lproj/InfoPlist.strings", "way = \"Exactly.\";\n")
    try add("fr.lproj/InfoPlist.strings", "\"NSLocation")
    let bundle = try #require(Bundle(path: folder.url.path))
    func texts(_ language: String) -> [String: String] {
      LocalizedDescriptions.texts(of: bundle, environment: ["LANG": language])
    }
    #expect(texts("de_CH.UTF-8") == ["NSLocationUsageDescription": "Für \"den Weg\"."])
    #expect(texts("en_US.UTF-8") == ["way": "Exactly."])
    // If a language has no folder, or its file cannot be read, the program's own text is used.
    #expect(texts("it_IT.UTF-8") == ["way": "Exactly."] && texts("C") == ["way": "Exactly."])
    #expect(texts("fr_FR.UTF-8") == ["way": "Exactly."])
  }
}
