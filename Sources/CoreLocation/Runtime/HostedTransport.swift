import LocationdClient
import LocationdHost
import LocationdService

// Without the trait this module is a client of `locationd` alone, and needs nothing that hosting needs.
#if Embedded
  import Foundation
  import LinuxIO
  import LocationdServer
  import LocationIPC

  /// The location service hosted in this process, on a thread of its own, which sleeps while nobody wants anything.
  final class HostedTransport: ServiceTransport {
    private let mailbox: LoopMailbox<HostMessage>

    /// Begins the service's thread; `nil` where the system has no descriptor left for it.
    init?(_ listener: @escaping Listener) {
      guard let mailbox = try? LoopMailbox<HostMessage>() else { return nil }
      self.mailbox = mailbox
      let thread = Thread { Self.serve(mailbox, listener) }
      thread.name = "CoreLocation"
      thread.start()
    }

    func send(_ request: ClientRequest, from client: Client) { mailbox.post(.request(ClientID(client), request)) }

    func leave(_ client: Client) { mailbox.post(.left(ClientID(client))) }

    /// The service's thread.
    private static func serve(_ mailbox: LoopMailbox<HostMessage>, _ listener: @escaping Listener) {
      do throws(HostError) {
        let host = try EmbeddedHost(source: source, minding: gpsd, takesSignals: false)
        host.onClientEvent = { [unowned host] client, event in
          // What this user may not read may come through a gpsd still.
          listener(.told(client.rawValue, host.isBesideGPSD ? event.withoutDenial : event))
        }
        try host.serve(mailbox)
        try host.run()
      } catch {
        listener(.ended(isForGood: true))
      }
    }

    /// Whether a source is named that this program is to drive by itself, whoever else serves.
    static var isWanted: Bool { source != .automatic }

    /// Whether this user keeps a list of that name, and no other process has it.
    static func monitors(_ list: String) -> Bool { EmbeddedHost.monitors(list) }

    /// LOCATIOND_SOURCE, else whatever receiver is there.
    private static let source: SourceSelection = {
      ServiceEnvironment.value(
        "LOCATIOND_SOURCE",
        else: "is not a source: give auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator."
      ) { try? SourceSelection(parsing: $0) } ?? .automatic
    }()

    /// LOCATIOND_GPSD: whose receivers are left to it; `nil`: `off`.
    private static var gpsd: GPSDAddress? {
      if ServiceEnvironment.text("LOCATIOND_GPSD") == "off" { return nil }
      return ServiceEnvironment.value(
        "LOCATIOND_GPSD", else: "is not an address: set it to HOST:PORT, or to off to ignore gpsd.",
        GPSDAddress.init(parsing:)) ?? .local
    }
  }
#endif
