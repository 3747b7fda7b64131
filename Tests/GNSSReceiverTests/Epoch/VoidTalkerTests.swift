import GNSSReceiver
import Geodesy
import Testing

/// A receiver that sends separate sentences for each satellite system: a system without a fix takes nothing from the fix
/// of another.
@Suite struct VoidTalkerTests {
  private let noon = 43_200

  enum Order: CaseIterable { case first, between, last }

  /// Sentences of a system without a fix; `%` stands for the time.
  private static let voidSentences = [
    "GLRMC,%,V,,,,,,,050626,,,N", "GLRMC,,V,,,,,,,,,,N", "GLGGA,%,,,,,0,00,99.99,,M,,M,,",
    "GLRMC,%,V,4717.20000,N,00833.50000,E,0.0,0.0,050626,,,N", "GAGNS,%,,,,,N,00,99.99,,,,", "BDGLL,,,,,%,V,N",
  ]

  /// Every second epoch has such a sentence, starting with the first or the second epoch.
  @Test(arguments: Order.allCases, voidSentences)
  func anEpochKeepsItsFix(order: Order, sentence: String) {
    for phase in [0, 1] {
      var line = LineBench()
      for index in 0..<12 {
        let second = noon + index
        let void = sentence.replacing("%", with: "\(LineBench.clock(second)).00")
        let hasVoid = index % 2 == phase
        if hasVoid, order == .first { line.receive(void) }
        line.receive(LineBench.rmc(second))
        if hasVoid, order == .between { line.receive(void) }
        line.receive(LineBench.gga(second))
        if hasVoid, order == .last { line.receive(void) }
        line.wait(1000)
      }
      #expect(line.fixes.count == 12, "phase \(phase)")
      #expect(line.complete.allSatisfy { $0.fix != nil })
      #expect(line.fixes.dropFirst(2).allSatisfy { $0.timeValidity == .confirmed })
      #expect(Set(line.fixes.map(\.horizontalRadius68)).count == 1)
      #expect(Set(line.fixes.map(\.coordinate)).count == 1)
      #expect(line.fixes.allSatisfy { $0.satellitesUsed == 8 && $0.kind == .threeDimensional })
    }
  }

  /// A sentence without a fix counts if it comes from the talker of the fix, or from one that combines all systems.
  @Test(arguments: [
    "GPGGA,%,,,,,0,00,99.99,,M,,M,,", "GPRMC,%,V,,,,,,,050626,,,N", "GNRMC,%,V,,,,,,,050626,,,N",
    "PUBX,00,%,4717.11399,N,00833.91590,E,546.589,NF,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
  ])
  func theReceiverItselfHasNoFix(sentence: String) {
    var line = LineBench()
    for second in noon..<noon + 3 {
      line.receive(LineBench.rmc(second), sentence.replacing("%", with: "\(LineBench.clock(second)).00"))
      line.wait(1000)
    }
    #expect(line.complete.count == 3 && line.fixes.isEmpty)
  }

  /// If no system has a fix, the receiver has none.
  @Test func allSystemsAreVoid() {
    var line = LineBench()
    for second in noon..<noon + 3 {
      let time = "\(LineBench.clock(second)).00"
      line.receive("GPRMC,\(time),V,,,,,,,050626,,,N", "GLRMC,\(time),V,,,,,,,050626,,,N")
      line.wait(1000)
    }
    #expect(line.complete.count == 3 && line.fixes.isEmpty)
  }
}
