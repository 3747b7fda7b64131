import LocationdConfiguration
import LocationdConfigurationFiles
import Testing

/// Misspelled settings are reported with the one that was probably meant.
@Suite struct ProblemTests {
  private func problems(_ text: String) -> [String] {
    var layers = ServiceConfiguration.Layers()
    layers.files = [INIParser.parse(Array(text.utf8), path: "/f")]
    return ServiceConfiguration(layers).problems.map(\.sentence)
  }

  @Test(arguments: [
    ("wfi = off", "/f, line 1: there is no setting 'wfi': did you mean 'wifi'?"),
    ("\nloglevel = info", "/f, line 2: there is no setting 'loglevel': did you mean 'log-level'?"),
    ("port = /dev/ttyS0", "/f, line 1: there is no setting 'port': write it below [receiver \"NAME\"]."),
    ("frobnicate = 1", "/f, line 1: there is no setting 'frobnicate': see locationd.conf(5) for all settings."),
    (
      "[recever \"roof\"]\nid = a",
      "/f, line 2: there is no section [recever \"roof\"]: did you mean [receiver \"roof\"]?"
    ),
    ("[receiver roof]\nprot = /dev/a", "/f, line 2: a receiver has no setting 'prot': did you mean 'port'?"),
    (
      "[receiver roof]\nid = a\nwifi = off",
      "/f, line 3: a receiver has no setting 'wifi': write it above the first section, or below [locationd]."
    ),
    (
      "[receiver wifi]\nid = a",
      "/f, line 2: 'wifi' cannot be the name of a receiver, and the section is ignored: use up to 32 letters, digits, '.', '_' and '-', and no word that is a source."
    ),
    (
      "prefer = rof\n[receiver roof]\nid = a",
      "/f, line 1: prefer names 'rof', which is not a configured receiver, and is ignored: did you mean 'roof'?"
    ),
    (
      "prefer = r\u{F6}f",
      "/f, line 1: prefer names 'r??f', which is not a configured receiver, and is ignored: add a section [receiver \"NAME\"] with its id or port."
    ),
    (
      "nonsense",
      "/f, line 1: this is not 'key = value': correct the line. At start, locationd ignores the line; a reload leaves all settings unchanged."
    ),
    (
      "wifi = \u{1B}[2J",
      "/f, line 1: the line has characters that are not text: correct the line. At start, locationd ignores the line; a reload leaves all settings unchanged."
    ),
  ]) func eachIsOneSentence(text: String, sentence: String) { #expect(problems(text) == [sentence]) }

  /// Whatever is wrong with a line: the order is that of the file.
  @Test func problemsAreInTheOrderOfTheLines() {
    let lines = problems("wifi = perhaps\n[receiver \"a\"]\nport = x\nnonsense\n[locationd]\nwfi = off\n").map {
      $0.prefix { $0 != ":" }
    }
    #expect(lines == ["/f, line 1", "/f, line 3", "/f, line 4", "/f, line 6"])
  }

  @Test func theSentenceAboutTheSourceNamesAllSources() throws {
    let sentence = try #require(problems("source = usb").first)
    #expect(sentence.hasPrefix("/f, line 1: source is not a source, and is ignored: use auto, "))
    for word in ["gpsd", "serial", "replay", "wifi", "simulator", "receiver"] { #expect(sentence.contains(word)) }
  }

  /// B17.
  @Test func misspelledVariablesAreReportedAndOthersAreNot() {
    var layers = ServiceConfiguration.Layers()
    layers.otherVariables = [
      "LOCATIOND_SUORCE", "LOCATIND_WIFI", "LOCATIOND_NOTHING", "LOCATION_DATA", "LOCATIONCTL_PLAIN", "LOCATE_PATH",
    ]
    let problems = ServiceConfiguration(layers).problems
    #expect(
      problems.map(\.sentence) == [
        "There is no variable LOCATIOND_SUORCE: did you mean LOCATIOND_SOURCE?",
        "There is no variable LOCATIND_WIFI: did you mean LOCATIOND_WIFI?",
        "There is no variable LOCATIOND_NOTHING: see locationd.conf(5) for all variables.",
      ])
    #expect(problems.map(\.suggestion) == ["LOCATIOND_SOURCE", "LOCATIOND_WIFI", nil])
  }

  @Test func aHostileFileGivesFewProblems() {
    let many = (0..<5000).map { "k\($0) = v\n" }.joined()
    #expect(problems(many).count == ServiceConfiguration.mostProblems)
  }

  @Test func aReloadNamesWhatItAppliesAndWhatItCannot() {
    func configuration(_ text: String) -> ServiceConfiguration {
      var layers = ServiceConfiguration.Layers()
      layers.files = [INIParser.parse(Array(text.utf8), path: "/f")]
      return ServiceConfiguration(layers)
    }
    let old = configuration("regions = 5\n[receiver roof]\nid = a\n[receiver boat]\nport = /dev/b")
    let new = configuration(
      "regions = 6\nwifi = off\nwifi-provider = https://a/?key=secret\nprefer = roof\n[receiver roof]\nid = b")
    let change = ConfigurationChange(from: old, to: new, started: old)
    #expect(
      change.applied == [
        "prefer is roof", "wifi is off", "wifi-provider has changed", "receiver roof is b", "receiver boat is removed",
      ])
    #expect(change.pending == ["regions"])
    // Until a restart, each reload names what is pending; nothing is applied twice.
    let again = ConfigurationChange(from: new, to: new, started: old)
    #expect(again.applied == [] && again.pending == ["regions"])
  }
}
