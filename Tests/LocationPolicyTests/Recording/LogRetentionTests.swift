import LocationPolicy
import Testing

@Suite struct LogRetentionTests {
  @Test func standardIsBounded() {
    #expect(LogRetention.standard(diskSize: 500_000_000_000) == .megabytes(1000))
    #expect(LogRetention.standard(diskSize: 8_000_000_000) == .megabytes(400))
    #expect(LogRetention.standard(diskSize: 0) == .megabytes(1))
  }
}
