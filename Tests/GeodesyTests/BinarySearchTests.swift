import Geodesy
import Testing

@Suite struct BinarySearchTests {
  @Test(arguments: 0...9)
  func theFirstElementThatFulfillsTheConditionIsFound(count: Int) {
    let numbers = Array(0..<count)
    for border in 0...count {
      #expect(numbers.partitioningIndex { $0 >= border } == border)
      // A slice counts from its own beginning.
      #expect(numbers[(count / 2)...].partitioningIndex { $0 >= border } == max(border, count / 2))
    }
  }
}

@Suite struct SecondsAndNanosecondsTests {
  @Test(
    arguments: [
      (0, 0, 0), (1_999_999_999, 1, 999_999_999), (-1, -1, 999_999_999), (-1_000_000_000, -1, 0),
      (Int64.min, -9_223_372_037, 145_224_192), (Int64.max, 9_223_372_036, 854_775_807),
    ] as [(Int64, Int64, Int64)])
  func secondsAreRoundedDown(nanoseconds: Int64, seconds: Int64, rest: Int64) {
    let parts = GNSSTime(nanosecondsSince1970: nanoseconds).secondsAndNanoseconds
    #expect(parts.seconds == seconds && parts.nanoseconds == rest)
  }
}
