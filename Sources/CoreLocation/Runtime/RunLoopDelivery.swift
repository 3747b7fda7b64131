import CoreFoundation
import Dispatch
import Foundation
import LocationIPC
import Synchronization

/// Brings what happens on the service's thread to the run loop of the thread that made it: one source for each run loop,
/// shared by all managers that were made there. It costs no wakeup while nothing happens.
///
/// On the main thread the main queue is told as well: a program that sits in `dispatchMain` or in an asynchronous `main` runs
/// no run loop.
///
/// `@unchecked Sendable`: `runLoop` and `source` are CoreFoundation objects whose `CFRunLoopSourceSignal`,
/// `CFRunLoopWakeUp` and `CFRunLoopCopyCurrentMode` may be called from any thread and never change, nor does `thread`, of which
/// only its end is asked; `listeners` is touched under `lock` alone, as a manager may
/// be let go of on any thread, and its closures are called on the run loop's own thread alone; `due` is behind a lock.
final class RunLoopDelivery: @unchecked Sendable {
  /// A listener's number, unique in the process.
  typealias Number = UInt64

  private let runLoop: CFRunLoop
  private let isMain: Bool
  /// Held weakly: the thread holds its delivery, and who has ended shall go with its run loop and the descriptors of that.
  private weak var thread = Thread.current
  nonisolated(unsafe) private var source: CFRunLoopSource?
  nonisolated(unsafe) private var listeners: [Number: () -> Void] = [:]
  private let lock = NSLock()
  private let due = Mutex<[Number]>([])
  private static let nextNumber = Atomic<UInt64>(1)

  /// The one of the main run loop.
  private static let main = RunLoopDelivery(CFRunLoopGetMain(), isMain: true)
  /// Marks the main queue, which another thread serves once the main one has gone into `dispatchMain` or an asynchronous `main`.
  private static let mainQueueMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// The one of the calling thread's run loop; on the main queue, whatever thread that is on, the one of the main run loop.
  static var current: RunLoopDelivery {
    if Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueMark) == true { return main }
    let key = "swift-corelocation.delivery"
    let dictionary = Thread.current.threadDictionary
    if let known = dictionary[key] as? RunLoopDelivery { return known }
    let made = RunLoopDelivery(CFRunLoopGetCurrent(), isMain: false)
    dictionary[key] = made
    return made
  }

  private init(_ runLoop: CFRunLoop, isMain: Bool) {
    self.isMain = isMain
    self.runLoop = runLoop
    var context = unsafe CFRunLoopSourceContext()
    unsafe context.info = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.perform = { info in
      guard let info = unsafe info else { return }
      unsafe Unmanaged<RunLoopDelivery>.fromOpaque(info).takeUnretainedValue().drain()
    }
    unsafe source = CFRunLoopSourceCreate(nil, 0, &context)
    // The common modes, so that it is served in nested loops too; it also keeps `run()` from returning.
    unsafe CFRunLoopAddSource(runLoop, source, kCFRunLoopCommonModes)
  }

  deinit { unsafe CFRunLoopSourceInvalidate(source) }

  /// Calls `body` on this thread whenever `wake` is called with the number that it returns.
  func listen(_ body: @escaping () -> Void) -> Number {
    let number = Self.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    lock.withLock { unsafe listeners[number] = body }
    return number
  }

  /// No call follows, but for one that is under way.
  func forget(_ number: Number) {
    // Let go of outside the lock.
    let body = lock.withLock { unsafe listeners.removeValue(forKey: number) }
    withExtendedLifetime(body) {}
  }

  /// Complains where nobody will ever come by for a listener. `isLate`: much waits already, so that a run loop would have been
  /// run by now.
  func complainIfDeaf(_ number: Number, isLate: Bool) {
    guard !isMain, thread?.isFinished ?? true || (isLate && CFRunLoopCopyCurrentMode(runLoop) == nil) else { return }
    // Who was forgotten before the thread ended misses nothing.
    guard lock.withLock({ unsafe listeners[number] != nil }) else { return }
    Complaint.deafThread.say()
  }

  /// Has listeners called on their thread, soon and in this order; from any thread.
  func wake(_ numbers: [Number]) {
    let isFirst = due.withLock { due in
      defer { due += numbers }
      return due.isEmpty
    }
    guard isFirst else { return }
    unsafe CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(runLoop)
    if isMain { DispatchQueue.main.async { [weak self] in self?.drain() } }
  }

  private func drain() {
    let numbers = due.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in numbers {
      // A listener may go in another's call.
      let body = lock.withLock { unsafe listeners[number] }
      body?()
    }
  }
}

/// Managers that are to come by, so that each run loop is woken once for all of its own.
struct DeliveryCalls {
  private var calls: [ObjectIdentifier: (delivery: RunLoopDelivery, numbers: [RunLoopDelivery.Number])] = [:]

  /// The manager of `engine` is to come by.
  mutating func add(_ engine: ManagerEngine) {
    guard let number = engine.number else { return }
    calls[ObjectIdentifier(engine.delivery), default: (engine.delivery, [])].numbers.append(number)
  }

  /// Wakes the run loops.
  func make() {
    for call in calls.values { call.delivery.wake(call.numbers) }
  }
}

/// What a manager's delegate is to be told once its run loop comes by, in its order. Locations that come one after the other are
/// told at once.
struct WaitingOutcomes {
  /// More are not kept for a client that does not come by: of the locations the oldest go, of the rest the newest, as the same
  /// word twice is of no use.
  static let most = 512
  /// As many events of what is monitored: the service keeps about a thousand of a program that does not come by, and more are told to one
  /// that is there.
  private static let mostEvents = 4096

  private var outcomes: [ManagerEngine.Outcome] = []
  /// So many of them have been told.
  private var told = 0

  /// How often the delegate is to be called.
  var count: Int { outcomes.count - told }

  /// How many locations wait to be told at once.
  mutating func add(_ location: CLLocation) -> Int {
    guard case .locations(var locations)? = outcomes.last else {
      if count < Self.most { outcomes.append(.locations([location])) }
      return 1
    }
    // Not to be shared while it grows.
    outcomes.removeLast()
    if locations.count == Self.most { locations.removeFirst() }
    locations.append(location)
    outcomes.append(.locations(locations))
    return locations.count
  }

  /// Whether it was kept.
  @discardableResult
  mutating func add(_ outcome: ManagerEngine.Outcome) -> Bool {
    guard count < Self.most || outcome.isAnswer || (outcome.isEvent && count < Self.mostEvents) else { return false }
    outcomes.append(outcome)
    return true
  }

  mutating func next() -> ManagerEngine.Outcome? {
    guard told < outcomes.count else { return nil }
    defer { if told == outcomes.count || told == Self.most { forgetTold() } }
    told += 1
    return outcomes[told - 1]
  }

  private mutating func forgetTold() {
    outcomes.removeFirst(told)
    told = 0
  }

  /// Locations are not wanted any more, nor that there is none. `alsoMoves`: significant changes neither.
  mutating func dropLocations(alsoMoves: Bool = false) {
    forgetTold()
    outcomes.removeAll {
      switch $0 {
      case .locations, .failure(.locationUnknown), .paused, .resumed: true
      case .monitored(let notice): alsoMoves && notice.isMove
      case .failure, .authorization, .fullAccuracy: false
      }
    }
  }
}

extension ManagerEngine.Outcome {
  fileprivate var isEvent: Bool { if case .monitored(let notice) = self { !notice.isAnswer } else { false } }

  /// Whether the program waits for it, and there are no more of them than it has asked for.
  fileprivate var isAnswer: Bool {
    switch self {
    case .fullAccuracy: true
    case .monitored(let notice): notice.isAnswer
    case .locations, .failure, .authorization, .paused, .resumed: false
    }
  }
}
