import CAllocationCounter
import Fusion
import Geodesy
import Testing

/// An epoch allocates nothing on the heap, whatever the input is and however long the estimator runs.
@Suite(.enabled(if: CAllocationCounter_isAvailable(), "a sanitizer brings its own allocator"))
struct AllocationTests {
  @Test(arguments: [0.05, 4], [0.08, nil]) func anEpochAllocatesNothing(white: Double, velocity: Double?) {
    let drive = SimulatedDrive(seconds: 900, speed: 31, seed: 12)
    let receiver = SimulatedDrive.Receiver(white: white, outliers: 0.02, velocity: velocity, radius: 6)
    let fixes = drive.fixes(receiver, seed: 5).map(\.fix)
    let coarse = fixes.map { fix in
      var fix = fix
      fix.technologies = .wifi
      fix.horizontalRadius68 = Meters(40)
      return fix
    }
    var allocations: UInt64 = 0
    var answers = 0
    // The first pass allocates what the runtime creates only once.
    for _ in 1...2 {
      var estimator = Estimator()
      var motion = MotionClassifier()
      answers = 0
      CAllocationCounter_start()
      for index in fixes.indices {
        if index % 7 == 0 { _ = estimator.handle(coarse[index], at: fixes[index].receivedAt) }
        guard let estimate = estimator.handle(fixes[index], at: fixes[index].receivedAt) else { continue }
        motion.handle(estimate.causal, at: fixes[index].receivedAt)
        if estimator.estimate(at: fixes[index].receivedAt + .milliseconds(500)) != nil { answers += 1 }
      }
      allocations = CAllocationCounter_stop()
    }
    #expect(allocations == 0 && answers == 900)
  }
}
