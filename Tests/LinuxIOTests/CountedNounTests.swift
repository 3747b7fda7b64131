import LinuxIO
import Testing

@Suite struct CountedNounTests {
  @Test func onlyOneIsSingular() {
    #expect([0, 1, 2].map { CountedNoun.text($0, "region") } == ["0 regions", "1 region", "2 regions"])
    #expect([1, 1500].map { CountedNoun.text($0, "fix was", "fixes were") } == ["1 fix was", "1500 fixes were"])
  }
}
