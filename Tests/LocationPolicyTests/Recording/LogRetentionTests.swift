import LocationPolicy
import Testing

@Suite struct LogRetentionTests {
  @Test func standardIsBounded() {
    #expect(LogRetention.standard(diskSize: 500_000_000_000) == .megabytes(1000))
    #expect(LogRetention.standard(diskSize: 8_000_000_000) == .megabytes(400))
    #expect(LogRetention.standard(diskSize: 0) == .megabytes(1))
  }

  @Test(
    arguments: [
      ("30d", .days(30)), ("1day", .days(1)), ("36500days", .days(36_500)), ("500MB", .megabytes(500)),
      ("2gb", .megabytes(2000)), ("", nil), ("d", nil), ("0d", nil), ("-1d", nil), ("36501d", nil), ("5", nil),
      ("5 MB", nil),
      ("1001GB", nil), ("9223372036854775807GB", nil), ("99999999999999999999d", nil), ("٣d", nil),
    ] as [(String, LogRetention?)])
  func isReadFromAWord(text: String, expected: LogRetention?) {
    #expect(LogRetention(text) == expected)
  }
}
