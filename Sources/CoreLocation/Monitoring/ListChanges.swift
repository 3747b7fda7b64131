import LocationIPC
import LocationPolicy
import Regions

/// A program's changes to its monitoring list, in order: one request at a time, each as large as allowed. The service
/// limits the requests per second of one process, and a program may add a hundred thousand regions.
struct ListChanges: Sendable {
  /// Whom an outcome is for: the number of a manager, or of a monitor's condition.
  typealias Requester = UInt64

  enum Change: Hashable, Sendable {
    case add(MonitoredRegion, by: Requester)
    case remove(String)
    /// Requests the device's state with regard to a region.
    case state(Region, by: Requester)
  }

  enum Outcome: Hashable, Sendable {
    case added(Region, by: Requester)
    case refused(Region, by: Requester, LocationFailure)
    /// `nil`: the region is not monitored.
    case state(Region, by: Requester, RegionState?)
  }

  private enum Batch {
    case add([(region: MonitoredRegion, requester: Requester)])
    case remove([String])
    case state(Region, Requester)
  }

  /// Maximum size of a circle and its field without the identifier, bytes.
  private static let regionOverhead = 160

  private let list: String
  private var batches: [Batch] = []
  /// Size of the last batch, bytes.
  private var lastSize = 0
  /// Whether the request of the first batch is pending.
  private var isAsked = false

  /// Creates an object without changes.
  init(list: String) { self.list = list }

  mutating func append(_ change: Change) {
    switch change {
    case .add(let region, let requester):
      let size = region.region.identifier.utf8.count + Self.regionOverhead
      if case .add(var batch)? = batches.last, hasRoom(for: size, after: batch.count) {
        // Remove it first, so that the array is not copied when it grows.
        batches.removeLast()
        batch.append((region, requester))
        batches.append(.add(batch))
        lastSize += size
      } else {
        batches.append(.add([(region, requester)]))
        lastSize = size
      }
    case .remove(let identifier):
      withdraw(identifier)
      let size = identifier.utf8.count + Self.regionOverhead
      if case .remove(var batch)? = batches.last, hasRoom(for: size, after: batch.count) {
        batches.removeLast()
        batch.append(identifier)
        batches.append(.remove(batch))
        lastSize += size
      } else {
        batches.append(.remove([identifier]))
        lastSize = size
      }
    case .state(let region, let requester): batches.append(.state(region, requester))
    }
  }

  /// The next request; `nil` if one is pending, or none is left.
  mutating func next() -> MonitoringRequest? {
    while !isAsked, let first = batches.first {
      switch first {
      // All regions of the batch were withdrawn.
      case .add(let batch) where batch.isEmpty: batches.removeFirst()
      case .add(let batch):
        isAsked = true
        return .add(list: list, batch.map(\.region), outlives: false)
      case .remove(let identifiers):
        isAsked = true
        return .remove(list: list, identifiers)
      case .state(let region, _):
        isAsked = true
        return .state(list: list, region.identifier)
      }
    }
    return nil
  }

  /// Handles the answer to the last request.
  mutating func receive(_ reply: RequestEvent<MonitoringAnswer?>) -> [Outcome] {
    guard isAsked, !batches.isEmpty else { return [] }
    isAsked = false
    switch (batches.removeFirst(), reply) {
    case (.add(let batch), .failed(let failure)):
      guard batch.count > 1 else { return batch.map { .refused($0.region.region, by: $0.requester, failure) } }
      // The service accepts all regions of a request or none: the regions in one half may still be accepted.
      let half = batch.count / 2
      batches.insert(contentsOf: [.add(Array(batch[..<half])), .add(Array(batch[half...]))], at: 0)
      if batches.count == 2 { lastSize = .max }
      return []
    case (.add(let batch), .reply), (.add(let batch), .progress):
      return batch.map { .added($0.region.region, by: $0.requester) }
    case (.state(let region, let requester), .reply(.state(let state)?)):
      return [.state(region, by: requester, state)]
    case (.remove, _), (.state, _): return []
    }
  }

  /// The service no longer answers: refuses all additions.
  mutating func fail(_ failure: LocationFailure) -> [Outcome] {
    defer { (batches, isAsked) = ([], false) }
    return batches.flatMap { batch -> [Outcome] in
      guard case .add(let regions) = batch else { return [] }
      return regions.map { .refused($0.region.region, by: $0.requester, failure) }
    }
  }

  /// Withdraws a region that is removed before it was added; if its request is already pending, no outcome is reported.
  private mutating func withdraw(_ identifier: String) {
    for (index, batch) in batches.enumerated() {
      guard case .add(let regions) = batch, regions.contains(where: { $0.region.region.identifier == identifier })
      else { continue }
      batches[index] = .add(regions.filter { $0.region.region.identifier != identifier })
    }
  }

  /// Whether the last batch has room; never if its request is pending.
  private func hasRoom(for size: Int, after count: Int) -> Bool {
    !(isAsked && batches.count == 1) && count < MessageLimits.regions && lastSize <= MessageLimits.regionBytes - size
  }
}
