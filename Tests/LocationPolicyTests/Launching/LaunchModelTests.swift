import LocationPolicy
import TestSupport
import Testing

@Suite struct LaunchModelTests {
  /// Any order of answers, lost connections, restarts and disks that cannot be written.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func everyEventIsStartedAndAgainOnlyMarkedAndInOrder(_ seed: UInt64) {
    var model = LaunchModel(seed: seed)
    for _ in 0..<400 { model.step() }
    model.settle()
    #expect(model.failures.prefix(3) == [])
    #expect(model.store.isEmpty)
    #expect(model.starts > 30, "hardly anything happened")
  }
}
