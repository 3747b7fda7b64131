/// How often a radio is to scan on its own, and no more often, where nobody else has it scan.
package struct ScanWish: Hashable, Sendable {
  /// In any case, since somebody wants to know where the machine is; `nil`: others' scans will do.
  package var period: Duration?
  /// Where it is on no network, so that nobody misses it; `nil` likewise.
  package var idlePeriod: Duration?

  package init(period: Duration? = nil, idlePeriod: Duration? = nil) {
    (self.period, self.idlePeriod) = (period, idlePeriod)
  }
}
