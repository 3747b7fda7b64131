import LocationdConfiguration
import Testing

import locationctl

@Suite struct SuggestionTests {
  private let words = ["fix", "watch", "status", "doctor", "grant", "grants", "replay"]

  @Test(arguments: [
    ("fxi", "fix"), ("stauts", "status"), ("statsu", "status"), ("docter", "doctor"), ("wacth", "watch"),
    ("repaly", "replay"), ("Fix", "fix"),
  ]) func findsTheNearWord(typed: String, meant: String) { #expect(Suggestion.nearest(to: typed, in: words) == meant) }

  @Test(arguments: ["", "x", "frobnicate", "ixf2", String(repeating: "a", count: 100)])
  func findsNothingFarAway(typed: String) { #expect(Suggestion.nearest(to: typed, in: words) == nil) }

  /// One edit from two commands: either could be meant.
  @Test func guessesNothingBetweenTwo() { #expect(Suggestion.nearest(to: "grantz", in: ["grants", "grantx"]) == nil) }
}

@Suite struct NegativeValueTests {
  /// `--from -1h` has a value (B15).
  @Test func areAttachedToTheirOption() {
    #expect(NegativeValues.attached(["log", "export", "--from", "-1h"]) == ["log", "export", "--from=-1h"])
    #expect(NegativeValues.attached(["fix", "--timeout", "-.5"]) == ["fix", "--timeout=-.5"])
  }

  @Test(arguments: [["fix", "--or-last", "-1"], ["fix", "--timeout", "-q"], ["fix", "--timeout", "5"], ["--from"]])
  func otherArgumentsStay(arguments: [String]) { #expect(NegativeValues.attached(arguments) == arguments) }
}
