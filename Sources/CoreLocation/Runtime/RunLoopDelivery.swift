import CoreFoundation
import Dispatch
import Foundation
import LocationIPC
import Synchronization

/// Forwards events from the service's thread to the run loop of the thread that created it: one source per run loop, shared by all
/// managers created there. It causes no wakeups while nothing happens.
///
/// On the main thread it also uses the main queue: a program in `dispatchMain` or in an asynchronous `main` runs no run loop.
///
/// `@unchecked Sendable`: `runLoop` and `source` are CoreFoundation objects that never change, and
/// `CFRunLoopSourceSignal`, `CFRunLoopWakeUp` and `CFRunLoopCopyCurrentMode` may be called for them from any thread.
/// `thread` never changes either, and is only checked for its end. `listeners` is accessed only under `lock`, because a
/// manager may be released on any thread, and its closures are called only on the run loop's own thread. `due` is
/// behind a lock.
final class RunLoopDelivery: @unchecked Sendable {
  /// A listener's number, unique in the process.
  typealias Number = UInt64

  private let runLoop: CFRunLoop
  private let isMain: Bool
  /// Weak: the thread owns its delivery, and a thread that ends has to release its run loop and the file descriptors of
  /// that run loop.
  private weak var thread = Thread.current
  nonisolated(unsafe) private var source: CFRunLoopSource?
  nonisolated(unsafe) private var listeners: [Number: () -> Void] = [:]
  private let lock = NSLock()
  private let due = Mutex<[Number]>([])
  private static let nextNumber = Atomic<UInt64>(1)

  /// The instance of the main run loop.
  private static let main = RunLoopDelivery(CFRunLoopGetMain(), isMain: true)
  /// Marks the main queue, which another thread serves once the main thread is in `dispatchMain` or an asynchronous `main`.
  private static let mainQueueMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// The instance of the calling thread's run loop; for code on the main queue, whatever its thread, that of the main
  /// run loop.
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
    // The common modes, so that the source also works in nested run loops; it also keeps `run()` from returning.
    unsafe CFRunLoopAddSource(runLoop, source, kCFRunLoopCommonModes)
  }

  deinit { unsafe CFRunLoopSourceInvalidate(source) }

  /// Registers `body`; `wake` with the returned number calls it on this thread.
  func listen(_ body: @escaping () -> Void) -> Number {
    let number = Self.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    lock.withLock { unsafe listeners[number] = body }
    return number
  }

  /// Removes a listener. It is not called any more, except by a call already in progress.
  func forget(_ number: Number) {
    // Released outside the lock.
    let body = lock.withLock { unsafe listeners.removeValue(forKey: number) }
    withExtendedLifetime(body) {}
  }

  /// Reports an error if a listener can never be called. `isLate`: so many outcomes are pending that a working run loop
  /// would have delivered some.
  func complainIfDeaf(_ number: Number, isLate: Bool) {
    guard !isMain, thread?.isFinished ?? true || (isLate && CFRunLoopCopyCurrentMode(runLoop) == nil) else { return }
    // A listener that was removed before the thread ended does not miss anything.
    guard lock.withLock({ unsafe listeners[number] != nil }) else { return }
    UsageWarning.deafThread.emit()
  }

  /// Schedules the listeners' callbacks on their thread, in order; callable from any thread.
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
      // The callback of one listener may remove another.
      let body = lock.withLock { unsafe listeners[number] }
      body?()
    }
  }
}

/// The managers to call, collected so that each run loop is woken only once.
struct DeliveryCalls {
  private var calls: [ObjectIdentifier: (delivery: RunLoopDelivery, numbers: [RunLoopDelivery.Number])] = [:]

  /// Adds the manager of `engine`.
  mutating func add(_ engine: ManagerEngine) {
    guard let number = engine.number else { return }
    calls[ObjectIdentifier(engine.delivery), default: (engine.delivery, [])].numbers.append(number)
  }

  /// Wakes the run loops.
  func make() {
    for call in calls.values { call.delivery.wake(call.numbers) }
  }
}

/// The outcomes that wait for a manager's run loop, in order. Consecutive locations are delivered in one callback.
struct WaitingOutcomes {
  /// Maximum number of callbacks, and of locations in one callback, for a client whose run loop does not run. Beyond
  /// the latter the oldest locations are dropped. Of other outcomes the newest are dropped, because repetitions are of
  /// no use; but the answers to the program's requests are always kept, and monitoring events up to `mostEvents`.
  static let most = 512
  /// Maximum number of callbacks up to which monitoring events are added. The service keeps about a thousand events for a program
  /// whose run loop does not run, but sends more to a program whose run loop does.
  private static let mostEvents = 4096
  /// Maximum number of waiting callbacks with deferred locations; beyond it the oldest are dropped.
  private static let mostBatches = 4

  private var outcomes: [ManagerEngine.Outcome] = []
  /// Number of the outcomes already delivered.
  private var delivered = 0

  /// The number of pending delegate callbacks.
  var count: Int { outcomes.count - delivered }

  /// Adds a location; returns the number of locations in the same callback.
  mutating func add(_ location: CLLocation) -> Int {
    guard case .locations(var locations)? = outcomes.last else {
      if count < Self.most { outcomes.append(.locations([location])) }
      return 1
    }
    // Removed first, so that its storage is not shared while it grows.
    outcomes.removeLast()
    if locations.count == Self.most { locations.removeFirst() }
    locations.append(location)
    outcomes.append(.locations(locations))
    return locations.count
  }

  /// Adds deferred locations, which are delivered in one callback.
  mutating func add(_ locations: [CLLocation]) {
    let batches = outcomes.indices[delivered...].filter {
      if case .deferredLocations = outcomes[$0] { true } else { false }
    }
    if batches.count >= Self.mostBatches { outcomes.remove(at: batches[0]) }
    outcomes.append(.deferredLocations(locations))
  }

  /// Adds an outcome; returns whether it was kept.
  @discardableResult
  mutating func add(_ outcome: ManagerEngine.Outcome) -> Bool {
    guard count < Self.most || outcome.isAnswer || (outcome.isEvent && count < Self.mostEvents) else { return false }
    outcomes.append(outcome)
    return true
  }

  mutating func next() -> ManagerEngine.Outcome? {
    guard delivered < outcomes.count else { return nil }
    defer { if delivered == outcomes.count || delivered == Self.most { forgetDelivered() } }
    delivered += 1
    return outcomes[delivered - 1]
  }

  private mutating func forgetDelivered() {
    outcomes.removeFirst(delivered)
    delivered = 0
  }

  /// Discards locations, the error that there is no location, and pauses. `alsoMoves`: significant changes too.
  mutating func dropLocations(alsoMoves: Bool = false) {
    forgetDelivered()
    outcomes.removeAll {
      switch $0 {
      case .locations, .deferredLocations, .failure(.locationUnknown), .paused, .resumed: true
      case .monitored(let notice): alsoMoves && notice.isMove
      case .failure, .authorization, .fullAccuracy, .deferralFinished: false
      }
    }
  }
}

extension ManagerEngine.Outcome {
  fileprivate var isEvent: Bool { if case .monitored(let notice) = self { !notice.isAnswer } else { false } }

  /// Whether the outcome answers a request of the program; there are no more such outcomes than requests.
  fileprivate var isAnswer: Bool {
    switch self {
    case .fullAccuracy, .deferralFinished: true
    case .monitored(let notice): notice.isAnswer
    case .locations, .deferredLocations, .failure, .authorization, .paused, .resumed: false
    }
  }
}
