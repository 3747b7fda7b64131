public import CCoreLocation
import Foundation

/// Watches conditions and tells when they come to hold or cease to. What it watches is kept under its name: the next monitor of that
/// name, in this run of the program or a later one, goes on with it and tells what was missed.
public actor CLMonitor {
  /// What happens, as it happens.
  public final let events: Events

  private let name: String
  private let feed: MonitorFeed

  /// The monitor of a name. There is one at a time: a second one while the first lives is the program's error and ends it.
  public init(_ name: String) async {
    guard MonitorNames.shared.take(name) else {
      let words = "Monitor named \(name) is already in use"
      // An optimised build leaves a precondition's message out.
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
      preconditionFailure(words)
    }
    self.name = name
    feed = MonitorFeed(name: name)
    events = Events(stream: feed.events)
    await feed.begin()
  }

  deinit {
    feed.end()
    MonitorNames.shared.giveBack(name)
  }

  /// The names of what is watched, in the order in which it was added.
  public var identifiers: [String] { feed.identifiers }

  /// Watches a condition; one of the same name is replaced.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition and takes a state for granted: the first event comes when another one is found.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    feed.add(condition, identifier, assuming: state)
  }

  /// Ceases to watch; unknown names are ignored.
  public func remove(_ identifier: String) { feed.remove(identifier) }

  /// A condition and what was last told of it; `nil` where no such is watched.
  public func record(for identifier: String) -> Record? { feed.record(for: identifier) }
}
