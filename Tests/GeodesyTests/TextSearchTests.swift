import Geodesy
import Testing

struct TextSearchTests {
  @Test(arguments: [
    ("rtcm://base", "://", "rtcm"), ("://", "://", ""), ("a:b://c://d", "://", "a:b"), ("°1°", "1", "°"),
    ("aab", "ab", "a"),
    ("text", "", ""),
  ]) func theFirstPlaceIsFound(text: String, part: String, before: String) throws {
    let place = try #require(text.firstPlace(of: part))
    #expect(text[..<place.lowerBound] == before)
    #expect(text[place] == part)
    #expect(text.holds(part))
  }

  @Test(arguments: [("", "a"), ("ab", "abc"), ("a:/b", "://"), ("e\u{301}", "é")])
  func whatIsNotThereIsNotFound(text: String, part: String) {
    #expect(text.firstPlace(of: part) == nil)
    #expect(!text.holds(part))
  }

  @Test func aPlaceInAPartOfATextIsOneOfTheText() throws {
    let text = "a b a c"
    let place = try #require(text.dropFirst().firstPlace(of: "a"))
    #expect(text[place.lowerBound...] == "a c")
  }

  @Test(arguments: [
    ("2026-11-27T06:53:40", "T", " ", "2026-11-27 06:53:40"), ("47°17°", "°", "", "4717"),
    (#"a""""b"#, #""""#, #"""#, #"a""b"#),
    ("±1 ± 2", "±", "+-", "+-1 +- 2"), ("none", "x", "y", "none"), ("aaa", "a", "aa", "aaaaaa"),
  ]) func eachOccurrenceIsReplaced(text: String, part: String, replacement: String, result: String) {
    #expect(text.substituting(part, with: replacement) == result)
  }
}
