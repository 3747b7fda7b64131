import LinuxIO
import NetworkSources

/// What the network helper does for one client: a connection, a listening address or a target of datagrams.
protocol NetworkEndpoint: AnyObject {
  /// Begins; the observer may be called during this call.
  func begin()
  /// Sends bytes to the peer; what does not fit is dropped.
  func send(_ bytes: [UInt8])
  /// Leaves what peers send in the kernel, or drops it, until `resume`.
  func pause()
  func resume()
  /// Closes everything; the observer is not called any more.
  func close()
}

/// The client of an endpoint.
protocol NetworkEndpointObserver: AnyObject {
  func connected()
  func received(_ bytes: ArraySlice<UInt8>)
  func dropped()
  /// A connection of another machine, to be passed on.
  func accepted(_ connection: borrowing TCPConnection)
  func failed(_ problem: StreamProblem)
}
