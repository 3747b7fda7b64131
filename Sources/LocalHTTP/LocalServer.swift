internal import CMicroHTTPD
import Geodesy
package import LinuxIO
package import MapServing
import Glibc

/// Answers requests over HTTP at 127.0.0.1 and ::1, or over TLS in the local network, on an event loop: without a client it causes no wakeups.
///
/// Safe, because the library calls this object only from within its own methods, on the thread of the event loop, and each request's
/// pointer is dropped when the library reports its end.
@safe package final class LocalServer {
  /// A request whose answer may come later; not reused.
  package struct RequestNumber: Hashable, Sendable { fileprivate let rawValue: UInt64 }

  /// What the server does with a request.
  package enum Reply {
    case now(HTTPResponse)
    /// `answer(_:_:)` follows.
    case later
    /// A stream of events, which `send(_:to:)` fills.
    case stream(HTTPResponse)
  }

  /// Called with each complete request.
  package var onRequest: (HTTPRequest, RequestNumber) -> Reply = { _, _ in .now(HTTPResponse(.notFound)) }
  /// Called when a stream's client has left.
  package var onStreamEnd: (RequestNumber) -> Void = { _ in }

  /// Safe: each use of the pointer is marked, and the entry is removed before the library frees it.
  @safe private struct Open {
    let pointer: OpaquePointer
    /// Only for streams.
    var watch: WatchID?
    var queue: EventQueue?
    var hasEnded = false
  }

  private let loop: EventLoop
  private var server: OpaquePointer?
  private var watch: WatchID?
  private var timer: TimerID?
  private var open: [UInt64: Open] = [:]
  private var last: UInt64 = 0
  private var isRunning = false
  /// Whether something was resumed while the library was running.
  private var isDue = false

  private static let mostConnections: UInt32 = 48
  private static let patienceInSeconds: UInt32 = 30

  /// The certificate and its key for TLS, PEM.
  package struct Identity: Sendable {
    package var certificate, key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  /// Listens; port 0 is any.
  ///
  /// - Parameter identity: `nil`: only this machine is served, without encryption; otherwise every network is, with TLS only.
  package init(port: UInt16, on loop: EventLoop, identity: Identity? = nil) throws(SystemError) {
    self.loop = loop
    unsafe server = cmicrohttpd_start(
      port, identity?.certificate, identity?.key,
      cmicrohttpd_limits(
        connections: Self.mostConnections, timeout: Self.patienceInSeconds, headers: 65_536,
        body: HTTPRequest.longestBody),
      cmicrohttpd_caller(
        context: Unmanaged.passUnretained(self).toOpaque(),
        handle: { unsafe LocalServer.from($0)?.receive($1) },
        read: { unsafe LocalServer.from($0)?.read($1, into: $2, capacity: $3) ?? -1 },
        finished: { unsafe LocalServer.from($0)?.finish($1) }))
    guard let server = unsafe server else { throw SystemError(operation: "listen", errno: errno) }
    watch = try unsafe loop.watch(cmicrohttpd_descriptor(server)) { [unowned self] _ in run() }
  }

  deinit { stop() }

  /// The port at which it listens.
  package var port: UInt16 {
    guard let server = unsafe server else { return 0 }
    return unsafe cmicrohttpd_port(server)
  }

  /// Closes all connections.
  package func stop() {
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
    (watch, timer) = (nil, nil)
    if let server = unsafe server { unsafe cmicrohttpd_stop(server) }
    unsafe server = nil
  }

  /// Answers a request for which `onRequest` has returned `.later`; does nothing if its client has left.
  package func answer(_ number: RequestNumber, _ response: HTTPResponse) {
    guard let request = unsafe open[number.rawValue]?.pointer else { return }
    unsafe write(response, to: request, isStream: false)
    unsafe cmicrohttpd_resume(request)
    run()
  }

  /// Sends an event to a stream; a slow reader gets only the newest of some kinds (`EventQueue`).
  package func send(_ event: ServerEvent, to number: RequestNumber) {
    guard let request = unsafe open[number.rawValue]?.pointer, open[number.rawValue]?.queue != nil else {
      return
    }
    open[number.rawValue]?.queue?.add(event)
    unsafe cmicrohttpd_resume(request)
    run()
  }

  // MARK: -

  private static func from(_ context: UnsafeMutableRawPointer?) -> LocalServer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<LocalServer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Runs the library until it has nothing more to do at once; a call from within it is postponed to its end.
  private func run() {
    guard let server = unsafe server else { return }
    guard !isRunning else {
      isDue = true
      return
    }
    isRunning = true
    isDue = false
    unsafe cmicrohttpd_run(server)
    isRunning = false
    let milliseconds = isDue ? 0 : unsafe cmicrohttpd_timeout(server)
    if let timer { loop.cancel(timer) }
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.schedule(at: MonotonicClock.now() + .milliseconds(milliseconds)) { [unowned self] in
      timer = nil
      run()
    }
  }

  private func receive(_ request: OpaquePointer?) {
    guard let request = unsafe request else { return }
    last &+= 1
    let number = RequestNumber(rawValue: last)
    unsafe cmicrohttpd_set_number(request, last)
    open[last] = unsafe Open(pointer: request)
    switch onRequest(unsafe Self.parsed(request), number) {
    case .later: break
    case .now(let response): unsafe write(response, to: request, isStream: false)
    case .stream(let response):
      unsafe write(response, to: request, isStream: true)
      open[number.rawValue]?.queue = EventQueue()
      // A client of a stream sends nothing: any byte, and the end, are its end.
      unsafe open[number.rawValue]?.watch = try? loop.watch(cmicrohttpd_socket(request)) { [unowned self] _ in
        end(number)
      }
    }
  }

  private func end(_ number: RequestNumber) {
    guard let entry = open[number.rawValue] else { return }
    if let watch = entry.watch { loop.unwatch(watch) }
    open[number.rawValue]?.watch = nil
    open[number.rawValue]?.hasEnded = true
    unsafe cmicrohttpd_resume(entry.pointer)
    run()
  }

  private func read(_ request: OpaquePointer?, into buffer: UnsafeMutablePointer<UInt8>?, capacity: Int) -> Int {
    guard let request = unsafe request, let buffer = unsafe buffer else { return -1 }
    let number = unsafe cmicrohttpd_number(request)
    guard let entry = open[number], !entry.hasEnded else { return -1 }
    let bytes = open[number]?.queue?.take(capacity) ?? []
    for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
    return bytes.count
  }

  private func finish(_ request: OpaquePointer?) {
    guard let request = unsafe request else { return }
    let number = unsafe cmicrohttpd_number(request)
    guard let entry = open.removeValue(forKey: number) else { return }
    if let watch = entry.watch { loop.unwatch(watch) }
    if entry.queue != nil { onStreamEnd(RequestNumber(rawValue: number)) }
  }

  private func write(_ response: HTTPResponse, to request: OpaquePointer, isStream: Bool) {
    let isMade =
      if isStream {
        unsafe cmicrohttpd_answer_stream(request, UInt32(response.status.rawValue))
      } else {
        unsafe response.body.withUnsafeBufferPointer {
          unsafe cmicrohttpd_answer(request, UInt32(response.status.rawValue), $0.baseAddress, $0.count)
        }
      }
    guard isMade != 0 else { return }
    for (name, value) in response.headers { _ = unsafe cmicrohttpd_add_header(request, name, value) }
  }

  private static func parsed(_ request: OpaquePointer) -> HTTPRequest {
    func headers(_ name: String) -> [String] {
      var values: [String] = []
      // One more than any check needs: a second value of these is an attack.
      while values.count < 2, let value = unsafe cmicrohttpd_header(request, name, UInt32(values.count)) {
        unsafe values.append(String(cString: value))
      }
      return values
    }
    var size = 0
    var isTooLong: Int32 = 0
    let body = unsafe cmicrohttpd_body(request, &size, &isTooLong)
    return unsafe HTTPRequest(
      method: String(cString: cmicrohttpd_method(request)), target: String(cString: cmicrohttpd_target(request)),
      hosts: headers("Host"), origins: headers("Origin"), sites: headers("Sec-Fetch-Site"), cookies: headers("Cookie"),
      tags: headers("If-None-Match"), encodings: headers("Accept-Encoding"),
      body: body.map { unsafe Array(UnsafeBufferPointer(start: $0, count: size)) } ?? [], isBodyTooLong: isTooLong != 0)
  }
}
