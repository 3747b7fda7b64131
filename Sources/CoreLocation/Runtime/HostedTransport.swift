// Without the trait this module is only a client of `locationd`, and has none of the dependencies of a host.
#if Embedded
  import Foundation
  import LinuxIO
  import LocationIPC
  import LocationPolicy
  import LocationdClient
  import LocationdHost
  import LocationdServer
  import LocationdService

  /// Passes the events of a hosted service on to this process's clients.
  private final class HostedClients: ServiceClients {
    private unowned let host: EmbeddedHost
    private let listener: ServiceTransport.Listener

    init(of host: EmbeddedHost, _ listener: @escaping ServiceTransport.Listener) {
      (self.host, self.listener) = (host, listener)
    }

    func send(_ event: ServiceEvent, to client: ClientID) {
      guard case .process = client else { return }
      // A receiver that this user cannot open may still be available through gpsd.
      listener(.received(host.isBesideGPSD ? event.withoutDenial : event))
    }
  }

  /// The location service hosted in this process, on its own thread, which sleeps while there are no requests.
  final class HostedTransport: ServiceTransport {
    private let mailbox: LoopMailbox<HostMessage>

    /// Starts the service's thread; `nil` if the system has no file descriptor left.
    init?(_ listener: @escaping Listener) {
      guard let mailbox = try? LoopMailbox<HostMessage>() else { return nil }
      self.mailbox = mailbox
      let thread = Thread { Self.serve(mailbox, listener) }
      thread.name = "CoreLocation"
      thread.start()
    }

    func send(_ request: ClientRequest, from client: Client) { mailbox.post(.request(.process(client), request)) }

    func leave(_ client: Client) { mailbox.post(.left(.process(client))) }

    /// The service's thread.
    private static func serve(_ mailbox: LoopMailbox<HostMessage>, _ listener: @escaping Listener) {
      do throws(HostError) {
        let host = try EmbeddedHost(source: source, minding: gpsd, takesSignals: false)
        try host.serve(mailbox, for: HostedClients(of: host, listener))
        try host.run()
      } catch {
        listener(.ended(isForGood: true))
      }
    }

    /// Whether the environment names a source that this program has to drive itself, even if another service runs.
    static var isWanted: Bool { source != .automatic }

    /// Whether this user has a monitoring list of that name, and no other process uses it.
    static func monitors(_ list: String) -> Bool { EmbeddedHost.monitors(list) }

    /// LOCATIOND_SOURCE, or any available receiver by default.
    private static let source: SourceSelection = {
      ServiceEnvironment.value(
        "LOCATIOND_SOURCE",
        else: "is not a source: give auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator."
      ) { try? SourceSelection(parsing: $0) } ?? .automatic
    }()

    /// LOCATIOND_GPSD: the gpsd whose receivers this program leaves to it; `nil` if the variable is `off`.
    private static var gpsd: GPSDAddress? {
      if ServiceEnvironment.text("LOCATIOND_GPSD") == "off" { return nil }
      return ServiceEnvironment.value(
        "LOCATIOND_GPSD", else: "is not an address: set it to HOST:PORT, or to off to ignore gpsd.",
        GPSDAddress.init(parsing:)) ?? .local
    }
  }
#endif
