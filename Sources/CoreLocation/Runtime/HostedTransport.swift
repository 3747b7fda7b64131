// Without the trait this module is only a client of `locationd`, and has none of the dependencies of a host.
#if Embedded
  import Foundation
  import LinuxIO
  import LocationIPC
  import LocationPolicy
  import LocationdClient
  import LocationdConfiguration
  import LocationdConfigurationFiles
  import LocationdHost
  import LocationdServer
  import LocationdService

  /// Passes the events of a hosted service to this process's clients.
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
        let host = try EmbeddedHost(
          source: source == .automatic ? configuration.settings.source : source,
          minding: configuration.settings.gpsd, settings: configuration.settings, takesSignals: false)
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

    /// The value of LOCATIOND_SOURCE; by default any available receiver.
    private static let source: SourceSelection = {
      ServiceEnvironment.value("LOCATIOND_SOURCE", else: "is not a source: use \(SourceSelection.syntax).") {
        try? SourceSelection(parsing: $0, receivers: configuration.settings.receivers.receivers)
      } ?? .automatic
    }()

    /// The settings of the machine's administrator and of this program's environment.
    private static let configuration: ServiceConfiguration = {
      let configuration = ConfigurationFiles.ofProcess.load()
      // The source is reported above, and problems of the files concern the administrator.
      for problem in configuration.problems {
        guard case .variable(let name) = problem.origin, name != "LOCATIOND_SOURCE" else { continue }
        try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(problem.sentence)\n".utf8))
      }
      return configuration
    }()
  }
#endif
