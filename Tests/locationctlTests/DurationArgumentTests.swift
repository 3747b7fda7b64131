import LocationdConfiguration
import Testing
import locationctl

@Suite struct DurationArgumentTests {
  @Test(arguments: [
    ("60s", 60), ("5m", 300), ("1h", 3600), ("1h30m", 5400), ("2d", 172_800), ("90", 90), ("1d2h3m4s", 93784),
    ("0s", 0),
    ("090s", 90),
  ]) func isReadAsPeopleWriteIt(text: String, seconds: Int) {
    #expect(DurationArgument(argument: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "s", "m5", "1m1h", "5m5m", "1m30", "-5s", "+5s", "5 m", "1.5h", "5M", "1w", "99999999999s",
    "9999999999d", "٣s",
    "5s ", "1h-5m",
  ]) func invalidValuesAreRefused(text: String) {
    #expect(DurationArgument(argument: text) == nil)
  }

  @Test(arguments: [(0, "0s"), (59, "59s"), (60, "1m"), (5400, "1h30m"), (604_800, "7d"), (86_401, "1d1s")])
  func isShownInFewUnits(seconds: Int, text: String) {
    let duration = DurationArgument(seconds: seconds)
    #expect(duration.text == text)
    #expect(DurationArgument(argument: text) == duration)
  }
}
