import Foundation
import Geodesy
import LocationPolicy
import LocationStore
import Regions
import TestSupport
import Testing

let someLists = ["one", "two"].map { MonitoringList(ClientIdentity(userID: 1000, realm: .own), name: $0) }

extension MonitoringStore {
  func made(_ list: MonitoringList = someLists[0]) throws -> MonitoringListID {
    try #require(try id(of: list, making: true))
  }

  /// The regions of a list by their identifiers.
  mutating func regions(of list: MonitoringListID) throws -> [String: MonitoredSteps.Entry] {
    try load(list).entries
  }
}

extension RegionMonitor {
  var entries: [String: MonitoredSteps.Entry] {
    Dictionary(uniqueKeysWithValues: watched.map { ($0.region.identifier, MonitoredSteps.Entry($0.region, $0.state)) })
  }
}

/// Everything that a state folder contains about monitoring.
struct Monitored: Hashable {
  var lists: [MonitoringListID: MonitoringList] = [:]
  var regions: [MonitoringListID: [String: MonitoredSteps.Entry]] = [:]
  var progress: [MonitoringListID: [UInt8]] = [:]
  var visits: [MonitoringListID: [Visit]] = [:]
  var records: [MonitoringListID: [String: MonitoringRecord]] = [:]
  var events: [PendingEvent] = []

  init(_ store: inout MonitoringStore) throws {
    for (id, list) in try store.lists() {
      lists[id] = list
      regions[id] = try store.regions(of: id)
      progress[id] = try store.progress(id, "steps")
      visits[id] = try store.visits(of: id, limit: 100)
      records[id] = try store.records(id)
    }
    events = try store.pending(limit: 2000)
    #expect(store.setAside == nil && store.setAsideSnapshots.isEmpty)
  }
}

/// Copies the files of a folder as they are: the state after a power failure that comes when everything is on the disk.
func copyFiles(of folder: String, to other: String) throws {
  try? FileManager.default.removeItem(atPath: other)
  try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
  for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
    try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(other)/\(name)")
  }
}

/// The names of the region files in a folder.
func regionFiles(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("regions-") }.sorted()
}

func testRegion(_ identifier: String, _ place: Double = 1) throws -> Region {
  try MonitoredSteps.region(identifier, place)
}

extension MonitoringChange {
  init(_ change: MonitoredSteps.Change) {
    switch change {
    case .add(let region, let state): self = .add(region, state)
    case .remove(let identifier): self = .remove(identifier)
    case .state(let identifier, let state): self = .state(identifier, state)
    case .removeAll: self = .removeAll
    }
  }
}
