extension RegionMonitor {
  /// The region of that identifier and where the device is; `nil`: no such region is watched.
  package func watched(_ identifier: String) -> (region: Region, state: RegionState)? {
    guard let slot = regions.slot(of: identifier), let region = regions.region(slot) else { return nil }
    return (region, regions.state(slot))
  }
}
