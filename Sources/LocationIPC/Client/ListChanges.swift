package import Regions

/// What a program changes in a list of what is monitored, in its order: one request at a time, and as much in it as one takes. The
/// service takes so many requests a second of one process, and a program may come with a hundred thousand regions.
package struct ListChanges: Sendable {
  /// Who is answered.
  package typealias Asker = UInt64

  package enum Change: Hashable, Sendable {
    case add(MonitoredRegion, by: Asker)
    case remove(String)
    /// Asks where the device is with regard to a region.
    case state(Region, by: Asker)
  }

  package enum Outcome: Hashable, Sendable {
    case added(Region, by: Asker)
    case refused(Region, by: Asker, LocationFailure)
    /// `nil`: no such region is monitored.
    case state(Region, by: Asker, RegionState?)
  }

  private enum Batch {
    case add([(region: MonitoredRegion, asker: Asker)])
    case remove([String])
    case state(Region, Asker)
  }

  /// Bytes that a circle and its field take beside its identifier, at most.
  private static let regionOverhead = 160

  private let list: String
  private var batches: [Batch] = []
  /// Bytes of what is in the last of them.
  private var lastSize = 0
  /// Whether the first of them is under way.
  private var isAsked = false

  /// Nothing is changed yet.
  package init(list: String) { self.list = list }

  /// Takes a change, after all others.
  package mutating func take(_ change: Change) {
    switch change {
    case .add(let region, let asker):
      let size = region.region.identifier.utf8.count + Self.regionOverhead
      if case .add(var batch)? = batches.last, hasRoom(for: size, after: batch.count) {
        // Not to be shared while it grows.
        batches.removeLast()
        batch.append((region, asker))
        batches.append(.add(batch))
        lastSize += size
      } else {
        batches.append(.add([(region, asker)]))
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
    case .state(let region, let asker): batches.append(.state(region, asker))
    }
  }

  /// The next request, where none is under way; `nil`: none is to be sent.
  package mutating func next() -> MonitoringRequest? {
    while !isAsked, let first = batches.first {
      switch first {
      // All of it was withdrawn.
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

  /// The request that was sent last is answered.
  package mutating func hear(_ event: ServiceEvent) -> [Outcome] {
    guard isAsked, !batches.isEmpty else { return [] }
    isAsked = false
    switch (batches.removeFirst(), event) {
    case (.add(let batch), .failed(_, let failure)):
      guard batch.count > 1 else { return batch.map { .refused($0.region.region, by: $0.asker, failure) } }
      // All or none: some of them may do.
      let half = batch.count / 2
      batches.insert(contentsOf: [.add(Array(batch[..<half])), .add(Array(batch[half...]))], at: 0)
      if batches.count == 2 { lastSize = .max }
      return []
    case (.add(let batch), _): return batch.map { .added($0.region.region, by: $0.asker) }
    case (.state(let region, let asker), .monitoring(_, .state(let state))):
      return [.state(region, by: asker, state)]
    case (.remove, _), (.state, _): return []
    }
  }

  /// Nobody answers any more: all that was to be added is refused.
  package mutating func fail(_ failure: LocationFailure) -> [Outcome] {
    defer { (batches, isAsked) = ([], false) }
    return batches.flatMap { batch -> [Outcome] in
      guard case .add(let regions) = batch else { return [] }
      return regions.map { .refused($0.region.region, by: $0.asker, failure) }
    }
  }

  /// A region that is removed before it was added is not added any more, and where that is under way nobody is told.
  private mutating func withdraw(_ identifier: String) {
    for (index, batch) in batches.enumerated() {
      guard case .add(let regions) = batch, regions.contains(where: { $0.region.region.identifier == identifier })
      else { continue }
      batches[index] = .add(regions.filter { $0.region.region.identifier != identifier })
    }
  }

  /// The last batch may take more, unless it is under way.
  private func hasRoom(for size: Int, after count: Int) -> Bool {
    !(isAsked && batches.count == 1) && count < MessageLimits.regions && lastSize <= MessageLimits.regionBytes - size
  }
}
