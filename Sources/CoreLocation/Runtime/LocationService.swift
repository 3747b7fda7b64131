import CCoreLocation
import Foundation
import LinuxIO
import LocationDaemon
import LocationIPC
import Synchronization

/// The location service of this process: hosted on a thread of its own, which sleeps while nobody wants anything.
final class LocationService: Sendable {
  /// The only one; its thread begins with the first request.
  static let shared = LocationService()

  private struct State {
    var mailbox: LoopMailbox<HostMessage>?
    var hasFailed = false
    var isDenied = false
    var listeners: [ClientID: @Sendable (ServiceEvent?) -> Void] = [:]
    /// 0 is the host's own.
    var nextClient = 1
  }
  private let state = Mutex(State())

  /// A client, which hears its events on the service's thread; `nil`: the service has ended of itself, and answers no more.
  func connect(_ listener: @escaping @Sendable (ServiceEvent?) -> Void) -> ServiceConnection {
    let client = state.withLock { state in
      let client = ClientID(state.nextClient)
      state.nextClient += 1
      state.listeners[client] = listener
      return client
    }
    return ServiceConnection(service: self, client: client)
  }

  /// Whether this program may know where the device is.
  var authorizationStatus: CLAuthorizationStatus { state.withLock { $0.isDenied ? .denied : .authorizedAlways } }

  /// Receivers are there, and this user may read none of them.
  func deny() { state.withLock { $0.isDenied = true } }

  fileprivate func send(_ request: ClientRequest, from client: ClientID) {
    guard let mailbox = begun() else { return tell(.failed(request.id, .noSource), to: client) }
    mailbox.post(.request(client, request))
  }

  fileprivate func disconnect(_ client: ClientID) {
    let mailbox = state.withLock { state in
      state.listeners[client] = nil
      return state.mailbox
    }
    mailbox?.post(.left(client))
  }

  /// The way to the service's thread, which is begun where it was not; `nil` where it cannot be.
  private func begun() -> LoopMailbox<HostMessage>? {
    state.withLock { state in
      if let mailbox = state.mailbox { return mailbox }
      guard !state.hasFailed, let mailbox = try? LoopMailbox<HostMessage>() else { return nil }
      state.mailbox = mailbox
      let thread = Thread { [self] in serve(mailbox) }
      thread.name = "CoreLocation"
      thread.start()
      return mailbox
    }
  }

  private func tell(_ event: ServiceEvent?, to client: ClientID) {
    let listener = state.withLock { $0.listeners[client] }
    listener?(event)
  }

  /// The service's thread.
  private func serve(_ mailbox: LoopMailbox<HostMessage>) {
    do throws(HostError) {
      let host = try EmbeddedHost(
        source: ServiceEnvironment.source, minding: ServiceEnvironment.gpsd, takesSignals: false)
      host.onClientEvent = { [self] client, event in tell(event, to: client) }
      try host.serve(mailbox)
      try host.run()
    } catch {
      fail()
    }
  }

  /// The service has ended of itself: whoever waits for it is told, and so is everybody after them.
  private func fail() {
    let listeners = state.withLock { state in
      state.mailbox = nil
      state.hasFailed = true
      return state.listeners
    }
    for listener in listeners.values { listener(nil) }
  }
}

/// One client of the process's service; it goes with this object.
final class ServiceConnection: Sendable {
  private let service: LocationService
  private let client: ClientID

  fileprivate init(service: LocationService, client: ClientID) {
    self.service = service
    self.client = client
  }

  deinit { service.disconnect(client) }

  /// Asks for something; the answer comes to the listener.
  func send(_ request: ClientRequest) { service.send(request, from: client) }
}
