package import LinuxIO
internal import Positioning

/// The fetcher: does one order of each client, and answers. It ends when nobody has come for a while; or with its one client, which has
/// started it.
///
/// A request is waited for where it stands: nobody else is served meanwhile, and its time is bounded.
package final class FetchServer {
  /// Who is there at once; whoever comes beyond that is let go.
  package static let maximumClients = 4

  private let clients: HelperClients

  /// - Parameters:
  ///   - agent: the program's name and version, as servers see it.
  ///   - onIdle: nobody has come for ten seconds.
  package init(
    loop: EventLoop, listener: consuming UnixListener, agent: String, onIdle: @escaping () -> Void
  ) throws(SystemError) {
    clients = try HelperClients(
      loop: loop, listener: listener, most: Self.maximumClients, longestOrder: FetchOrder.maximumSize, onIdle: onIdle)
    begin(agent)
  }

  /// Serves the one that has started it, and nobody after it.
  package init(loop: EventLoop, client: consuming UnixStream, agent: String, onIdle: @escaping () -> Void) {
    clients = HelperClients(loop: loop, client: client, longestOrder: FetchOrder.maximumSize, onIdle: onIdle)
    begin(agent)
  }

  private func begin(_ agent: String) {
    clients.onReceived = { _, received in
      switch FetchOrder.read(received.span) {
      case .incomplete: .wait
      case .foreign: .drop
      case .order(let order): .answer(WebTransfer.perform(order, agent: agent).bytes)
      }
    }
  }
}
