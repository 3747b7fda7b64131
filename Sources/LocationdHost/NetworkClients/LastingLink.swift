import Geodesy
import LinuxDevices
import LinuxIO
import NetworkSources

/// A link to the network helper that is made again after each failure, with growing pauses.
final class LastingLink {
  private let loop: EventLoop
  private let order: NetworkOrder
  private let body: (NetworkLink.Event) -> Void
  private(set) var link: NetworkLink?
  /// Failures in a row.
  private var failures = 0
  private var jitter = Jitter(seed: .random(in: 0 ... .max))
  private var retry: TimerID?

  /// Starts; `body` is called from the loop, never during this call. Of several failures in a row, it gets the first.
  init(loop: EventLoop, _ order: NetworkOrder, _ body: @escaping (NetworkLink.Event) -> Void) {
    (self.loop, self.order, self.body) = (loop, order, body)
    open()
  }

  deinit { close() }

  func close() {
    link?.close()
    link = nil
    if let retry { loop.cancel(retry) }
    retry = nil
  }

  private func open() {
    link = NetworkLink(loop: loop, order) { [unowned self] event in
      switch event {
      case .ended: return failed(event)
      case .connected: failures = 0
      case .received, .dropped, .accepted: break
      }
      body(event)
    }
  }

  private func failed(_ event: NetworkLink.Event) {
    link = nil
    failures += 1
    retry = loop.schedule(at: loop.now + GrowingDelay.stream.delay(after: failures, &jitter)) { [unowned self] in
      retry = nil
      open()
    }
    if failures == 1 { body(event) }
  }
}
