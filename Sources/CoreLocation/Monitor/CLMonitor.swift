public import CCoreLocation
import Foundation

/// Watches conditions and tells when they come to hold or cease to.
public actor CLMonitor {
  /// The most events that wait for a loop that is slow; older ones are dropped.
  private static let eventLimit = 256

  /// What happens, as it happens.
  public final let events: Events

  private let name: String
  private let watch: any ConditionWatch
  private let continuation: AsyncStream<Event>.Continuation
  private var records: [(identifier: String, record: Record)] = []

  /// The monitor of a name. There is one at a time: a second one while the first lives is the program's error and ends it.
  public init(_ name: String) async { self.init(name, watch: Service.conditions) }

  package init(_ name: String, watch: any ConditionWatch) {
    guard MonitorNames.shared.take(name) else {
      let words = "Monitor named \(name) is already in use"
      // An optimised build leaves a precondition's message out.
      try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
      preconditionFailure(words)
    }
    self.name = name
    self.watch = watch
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(Self.eventLimit))
    events = Events(stream: stream)
    self.continuation = continuation
  }

  deinit {
    continuation.finish()
    MonitorNames.shared.giveBack(name)
  }

  /// The names of what is watched, in the order in which it was added.
  public var identifiers: [String] { records.map(\.identifier) }

  /// Watches a condition; one of the same name is replaced.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition and takes a state for granted: the first event comes when another one is found.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    let event = Event(identifier: identifier, state: state, date: Date())
    let record = Record(lastEvent: event, condition: condition)
    if let index = records.firstIndex(where: { $0.identifier == identifier }) {
      records[index].record = record
    } else {
      records.append((identifier, record))
    }
    let obstacles = watch.obstacles(to: condition)
    if !obstacles.isEmpty { determined(.unmonitored, for: identifier, at: Date(), obstacles) }
  }

  /// Ceases to watch; unknown names are ignored.
  public func remove(_ identifier: String) { records.removeAll { $0.identifier == identifier } }

  /// A condition and what was last told of it; `nil` where no such is watched.
  public func record(for identifier: String) -> Record? { records.first { $0.identifier == identifier }?.record }

  /// Takes up what was found out of a condition: an event where it differs from the last one. What is not watched is ignored.
  package func determined(
    _ state: Event.State, for identifier: String, at date: Date, refinement: (any CLCondition)? = nil,
    _ circumstances: Circumstances = []
  ) {
    guard let index = records.firstIndex(where: { $0.identifier == identifier }),
      records[index].record.lastEvent.state != state
    else { return }
    let event = Event(identifier: identifier, state: state, date: date, refinement: refinement, circumstances)
    records[index].record = Record(lastEvent: event, condition: records[index].record.condition)
    continuation.yield(event)
  }
}
