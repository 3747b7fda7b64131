import LocationIPC
import Testing

@Suite struct LogAmountTests {
  @Test(
    arguments: [
      ("30d", .days(30)), ("1day", .days(1)), ("36500days", .days(36_500)), ("500MB", .megabytes(500)),
      ("2gb", .megabytes(2000)), ("", nil), ("d", nil), ("0d", nil), ("-1d", nil), ("36501d", nil), ("5", nil),
      ("5 MB", nil),
      ("1001GB", nil), ("9223372036854775807GB", nil), ("99999999999999999999d", nil), ("٣d", nil),
    ] as [(String, LogAmount?)])
  func isReadFromAWord(text: String, expected: LogAmount?) {
    #expect(LogAmount(text) == expected)
  }
}
