package import Diagnosis
import Geodesy
import LinuxDevices
package import LinuxIO
import LocationIPC
package import LocationdService

/// Serial ports on the loop: opens them if no other program has them, reads their data, and reports when they
/// disappear.
package final class SerialPortDriver: PortDriver {
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private var open: [LinkID: OpenPort] = [:]
  private var waiting: [LinkID: WaitingPort] = [:]
  private var foreign: [LinkID: BusyPort] = [:]
  /// The buffer of one read: more than the usual output of a receiver in one epoch.
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private let lockFolders: [String]
  /// Receives the arrival of bytes, for the time of clocks.
  package weak var time: TimeFeed?

  package init(loop: EventLoop, runner: ServiceRunner, lockFolders: [String]) {
    self.loop = loop
    self.runner = runner
    self.lockFolders = lockFolders
  }

  package func open(_ id: LinkID, _ device: DetectedDevice) {
    close(id)
    let path = device.path
    do throws(SerialPortError) {
      // Check the file's type first, so that the error names the type and not a consequence of it.
      try SerialPort.check(path: path)
    } catch {
      runner.handle(.openFailed(id, problem(error, path: path)))
      return
    }
    do throws(SystemError) {
      switch try PortLock.acquire(device: path, directories: lockFolders) {
      case .acquired(let lock): open(id, path: path, lock: lock)
      case .held(let pid, let waiter): wait(id, for: waiter, heldBy: pid)
      }
    } catch {
      // Without a folder for locks, only the exclusive mode of the port protects it.
      open(id, path: path, lock: nil)
    }
  }

  package func close(_ id: LinkID) {
    // The watch must be removed before the descriptor is closed.
    if let port = open[id] {
      if let watch = port.watch { loop.unwatch(watch) }
      if let timer = port.restTimer { loop.cancel(timer) }
      port.writer.close()
      open[id] = nil
      time?.closed(id)
    }
    if let watch = waiting.removeValue(forKey: id)?.watch { loop.unwatch(watch) }
    if let port = foreign.removeValue(forKey: id) {
      if let watch = port.watch { loop.unwatch(watch) }
      if let timer = port.timer { loop.cancel(timer) }
    }
  }

  package func setSpeed(_ id: LinkID, baud: Int) {
    guard let port = open[id] else { return }
    do throws(SystemError) {
      try port.serial.setSpeed(baud)
      port.serial.flushInput()
      port.baudRate = baud
    } catch {
      // At a baud rate that the adapter does not support, no data is received, and the probe continues with the next
      // rate.
    }
  }

  package func write(_ id: LinkID, _ bytes: [UInt8]) {
    guard let port = open[id], port.serial.isWritable else { return }
    port.writer.write(bytes) { port.serial.write($0) }
  }

  package func lineErrors(_ id: LinkID) -> LineErrors? {
    open[id]?.serial.lineErrors.map { count in
      var errors = LineErrors()
      errors.framing = count.framing
      errors.breaks = count.breaks
      errors.overruns = count.overruns
      return errors
    }
  }

  // MARK: -

  private func open(_ id: LinkID, path: String, lock: consuming PortLock?) {
    // Root can open a port that another program has open, which would take bytes from that program.
    if let holder = PortHolderFinder().process(holding: path) {
      awaitRelease(id, of: path, lock: lock)
      runner.handle(.openFailed(id, .inUse(PortHolder(holder))))
      return
    }
    do throws(SerialPortError) {
      open(id, OpenPort(serial: try SerialPort.open(path: path, baud: nil), lock: lock, loop: loop))
    } catch {
      // The failed open has released the lock: another process of this service may try next.
      if case .inUse = error { awaitRelease(id, of: path, lock: nil) }
      runner.handle(.openFailed(id, problem(error, path: path)))
    }
  }

  private func open(_ id: LinkID, _ port: OpenPort) {
    do throws(SystemError) {
      port.watch = try loop.watch(port.serial.descriptor) { [unowned self] _ in read(id) }
    } catch {
      runner.handle(.openFailed(id, .cannotOpen(.system(operation: error.operation, errno: error.errno))))
      return
    }
    open[id] = port
    port.baudRate = port.serial.speed
    runner.handle(.opened(id, baud: port.baudRate))
  }

  /// Called if another program has the port: tries again when that program closes it, and at intervals, because the
  /// program may have closed the port before the watch started, or may not be observable.
  private func awaitRelease(_ id: LinkID, of path: String, lock: consuming PortLock?) {
    let port = BusyPort(lock: lock)
    if let release = try? PortReleaseWatch(path: path) {
      port.watch = try? loop.watch(release.descriptor) { [unowned self] _ in freed(id) }
      port.release = consume release
    }
    port.timer = loop.schedule(at: loop.now + Self.retryInterval) { [unowned self] in freed(id) }
    foreign[id] = port
  }

  /// Interval between attempts to open a port that another program has, while a request waits for the port.
  private static let retryInterval: Duration = .seconds(5)

  /// Reports that the port may be free, so that it is tried again.
  private func freed(_ id: LinkID) {
    close(id)
    runner.handle(.portFreed(id))
  }

  private func wait(_ id: LinkID, for waiter: consuming PortLockWaiter, heldBy pid: Int32?) {
    let port = WaitingPort(waiter: waiter)
    do throws(SystemError) {
      port.watch = try loop.watch(port.waiter.descriptor) { [unowned self] _ in freed(id) }
    } catch {
      runner.handle(.openFailed(id, .cannotOpen(.system(operation: error.operation, errno: error.errno))))
      return
    }
    waiting[id] = port
    runner.handle(.openFailed(id, .lockedByOwn(pid: pid)))
  }

  private func read(_ id: LinkID) {
    guard let port = open[id] else { return }
    let wasLeftUnread = port.rested
    port.rested = false
    if let timer = port.restTimer { loop.cancel(timer) }
    port.restTimer = nil
    // The buffer is moved out of `self` during the read, so that a span of it can be passed on.
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    defer { swap(&bytes, &buffer) }
    switch port.serial.read(into: &bytes) {
    case .bytes(let count):
      time?.arrived(count, on: id, baudRate: port.baudRate, wasLeftUnread: wasLeftUnread)
      rest(id, until: runner.receiveAll(bytes.span.extracting(0..<count), on: id))
    case .wouldBlock: rest(id, until: runner.rest(of: id))
    case .endOfFile, .failed:
      close(id)
      runner.handle(.closed(id))
    }
  }

  /// Leaves incoming bytes in the kernel until `end`; `nil`: reads them at once.
  private func rest(_ id: LinkID, until end: Instant?) {
    guard let port = open[id], let watch = port.watch else { return }
    if let end {
      loop.pause(watch)
      port.rested = true
      port.restTimer = loop.schedule(at: end) { [unowned self] in
        port.restTimer = nil
        read(id)
      }
    } else {
      loop.resume(watch)
    }
  }

  private func problem(_ error: SerialPortError, path: String) -> OpenProblem {
    switch error {
    case .doesNotExist: .cannotOpen(.doesNotExist)
    case .isDirectory: .cannotOpen(.isDirectory)
    case .isRegularFile: .cannotOpen(.isRegularFile)
    case .isFIFO: .cannotOpen(.isFIFO)
    case .isNotSerialPort: .cannotOpen(.isNotSerialPort)
    case .permissionDenied(let group): .permissionDenied(group: group)
    case .inUse: .inUse(PortHolder(PortHolderFinder().holder(of: path)))
    case .vanished: .cannotOpen(.vanished)
    case .system(let error): .cannotOpen(.system(operation: error.operation, errno: error.errno))
    }
  }

  /// An open port, with its lock.
  private final class OpenPort {
    let serial: SerialPort
    let lock: PortLock?
    var watch: WatchID?
    /// Set while incoming bytes are left in the kernel.
    var restTimer: TimerID?
    /// Whether bytes were left in the kernel before the present read.
    var rested = false
    let writer: SerialWriter
    /// As it was set last; `nil`: the device has no line.
    var baudRate: Int?

    init(serial: consuming SerialPort, lock: consuming PortLock?, loop: EventLoop) {
      self.serial = serial
      self.lock = lock
      writer = SerialWriter(loop)
    }
  }

  /// A port that another program has.
  private final class BusyPort {
    var release: PortReleaseWatch?
    /// Held while waiting, so that only one process of this service tries.
    let lock: PortLock?
    var watch: WatchID?
    var timer: TimerID?

    init(lock: consuming PortLock?) { self.lock = lock }
  }

  /// A port that another process of this service has.
  private final class WaitingPort {
    let waiter: PortLockWaiter
    var watch: WatchID?

    init(waiter: consuming PortLockWaiter) { self.waiter = waiter }
  }
}

extension PortHolder {
  /// Converts a port's holder to the client's terms.
  init(_ holder: SerialPortHolder) {
    switch holder {
    case .process(let pid, let name): self = .process(pid: pid, name: name)
    case .likely(let service): self = .likely(service: service)
    case .console(let tty): self = .console(tty: tty)
    case .unknown: self = .unknown
    }
  }
}
