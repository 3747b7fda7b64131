internal import Geodesy
package import LinuxIO
package import TimeService

/// The privileged process of the service's time on an event loop: writes samples, and sets the clock once. It is started by a
/// connection, and exits after a period without clients.
package final class TimeHelperServer {
  /// Maximum number of concurrent clients; further connections are closed.
  package static let maximumClients = 4
  /// It keeps running this long after the last client.
  private static let idleTime: Duration = .seconds(10)
  /// The settings are read again for each client, and at most this often for a client that stays.
  private static let settingsLifetime: Duration = .seconds(10)

  private final class Client {
    let stream: UnixStream
    let watch: WatchID
    var received: [UInt8] = []

    init(stream: consuming UnixStream, watch: WatchID) {
      self.stream = stream
      self.watch = watch
    }
  }

  private let loop: EventLoop
  private let listener: UnixListener
  private let mark: String
  private let onIdle: () -> Void
  private let onSet: (ClockChange) -> Void
  private let readSettings: () -> TimeSettings
  /// What the administrator has switched on, as far as this process has read it.
  private var settings = TimeSettings()
  private var settingsReadAt: Instant?
  private let writer = SampleWriter()
  private var clients: [UInt64: Client] = [:]
  private var nextClient: UInt64 = 1
  private var idleTimer: TimerID?
  private var buffer = [UInt8](repeating: 0, count: 16 * TimeOrder.size)

  /// - Parameters:
  ///   - mark: the file that exists once the clock was set since boot.
  ///   - settings: reads the settings of the machine.
  ///   - onSet: the clock was set.
  ///   - onIdle: called after ten seconds without clients.
  package init(
    loop: EventLoop, listener: consuming UnixListener, mark: String, settings: @escaping () -> TimeSettings,
    onSet: @escaping (ClockChange) -> Void, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    (self.loop, self.mark, self.onSet, self.onIdle) = (loop, mark, onSet, onIdle)
    readSettings = settings
    let descriptor = listener.descriptor
    self.listener = consume listener
    _ = try loop.watch(descriptor) { [unowned self] _ in accept() }
    waitIdle()
  }

  private func accept() {
    while let stream = try? listener.accept() {
      guard clients.count < Self.maximumClients else { continue }
      let number = nextClient
      nextClient += 1
      guard let watch = try? loop.watch(stream.descriptor, { [unowned self] _ in read(number) }) else { continue }
      clients[number] = Client(stream: stream, watch: watch)
      settingsReadAt = nil
    }
    waitIdle()
  }

  private func read(_ number: UInt64) {
    guard let client = clients[number] else { return }
    switch client.stream.read(into: &buffer) {
    case .bytes(let count): receive(buffer[..<count], from: client, number)
    case .wouldBlock: break
    case .endOfFile, .failed: drop(number)
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>, from client: Client, _ number: UInt64) {
    client.received += bytes
    var rest = client.received[...]
    while rest.count >= TimeOrder.size {
      guard let order = TimeOrder(rest.prefix(TimeOrder.size)) else { return drop(number) }
      rest = rest.dropFirst(TimeOrder.size)
      let answer = execute(order).encoded
      // A client that does not read its answers is disconnected.
      guard case .written(answer.count) = client.stream.write(answer[...]) else { return drop(number) }
    }
    client.received = Array(rest)
  }

  private func execute(_ order: TimeOrder) -> TimeAnswer {
    updateSettings()
    do throws(SystemError) {
      switch order {
      case .socket, .sharedMemory:
        guard settings.allow(order) else { return .sample(errno: TimeAnswer.notInSettings) }
      case .circumstances: break
      case .setClock: guard settings.allow(order) else { return .clock(.refused(.disabled)) }
      }
      switch order {
      case .socket(let path, let sample): try writer.send(sample, to: path)
      case .sharedMemory(let unit, let sample): try writer.write(sample, toUnit: unit)
      case .circumstances:
        var known = ClockSurvey(mark: mark).circumstances
        known.isEnabled = known.isEnabled && settings.setsClock
        return .circumstances(known)
      case .setClock(let offset): return .clock(set(by: offset))
      }
      return .sample(errno: 0)
    } catch {
      return .sample(errno: error.errno)
    }
  }

  private func updateSettings() {
    let now = MonotonicClock.now()
    guard settingsReadAt.map({ now - $0 >= Self.settingsLifetime }) ?? true else { return }
    (settings, settingsReadAt) = (readSettings(), now)
  }

  /// Sets the clock if the same rules as the service's allow it: the service may be compromised, this process may not trust it.
  private func set(by offset: Duration) -> TimeAnswer.Result {
    let known = ClockSurvey(mark: mark).circumstances
    if let refusal = known.refusal { return .refused(refusal) }
    let from = WallClock.now()
    guard (.zero - Self.longestOffset...Self.longestOffset).contains(offset) else { return .refused(.implausible) }
    if let refusal = ClockSetter.refusal(of: offset, to: from + offset, known) { return .refused(refusal) }
    do throws(SystemError) {
      // The mark first: if it cannot be written, the clock could be set again and again.
      try StateFile.write(mark, [], isPublic: true)
    } catch {
      return .failed(errno: error.errno)
    }
    do throws(SystemError) {
      try WallClock.step(by: offset)
    } catch {
      StateFile.remove(mark)
      return .failed(errno: error.errno)
    }
    onSet(ClockChange(offset: offset, from: from, to: from + offset))
    return .done
  }

  /// A larger offset overflows; no clock is so wrong.
  private static let longestOffset: Duration = .seconds(100 * 31_557_600)

  private func drop(_ number: UInt64) {
    guard let client = clients.removeValue(forKey: number) else { return }
    loop.unwatch(client.watch)
    waitIdle()
  }

  private func waitIdle() {
    if let idleTimer { loop.cancel(idleTimer) }
    idleTimer = nil
    guard clients.isEmpty else { return }
    idleTimer = loop.schedule(at: MonotonicClock.now() + Self.idleTime) { [unowned self] in onIdle() }
  }
}
