/// Where the device is with regard to a region.
package enum RegionState: UInt8, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case inside = 1
  case outside = 2
}
