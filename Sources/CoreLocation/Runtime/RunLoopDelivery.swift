import CoreFoundation
import Dispatch
import Foundation
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
