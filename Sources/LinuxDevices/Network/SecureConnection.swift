internal import CCurl
import LinuxIO
import NetworkSources
import Synchronization

/// A connection with TLS. It is made on a thread of its own, and used by the loop's thread once `descriptor` was readable.
@safe final class SecureConnection {
  private let transfer: OpaquePointer
  private let attempt: SecureAttempt

  /// As curl(1) has it: the file of the trusted certificates instead of the system's.
  static let certificatesVariable = "CURL_CA_BUNDLE"
  private static let connectPatienceMilliseconds = 20_000
  /// CURL_HTTP_VERSION_1_1: casters do not speak HTTP/2, which TLS would negotiate otherwise.
  private static let version1 = 2
  // libcurl-errors(3).
  private static let (noProxy, noHost, noConnection, timedOut): (Int32, Int32, Int32, Int32) = (5, 6, 7, 28)

  /// Starts to connect; `nil`: there is no libcurl, or no memory.
  init?(to server: HostAndPort) {
    guard let transfer = unsafe ccurl_open() else { return nil }
    var code: Int32 = 0
    let numbers: [(Int, Int)] = [
      (CCURL_NOSIGNAL, 1), (CCURL_CONNECT_ONLY, 1), (CCURL_PROTOCOLS, CCURL_HTTPS),
      (CCURL_HTTP_VERSION, Self.version1), (CCURL_CONNECTTIMEOUT_MS, Self.connectPatienceMilliseconds),
    ]
    for (option, value) in numbers where code == 0 {
      code = unsafe ccurl_set_number(transfer, Int32(option), value)
    }
    if code == 0 { code = unsafe ccurl_set_text(transfer, Int32(CCURL_URL), "https://\(server.text)/") }
    if code == 0, let file = ProcessEnvironment.value(Self.certificatesVariable), !file.isEmpty {
      code = unsafe ccurl_set_text(transfer, Int32(CCURL_CAINFO), file)
    }
    guard code == 0, let attempt = try? SecureAttempt(UInt(bitPattern: transfer)) else {
      unsafe ccurl_close(transfer)
      return nil
    }
    unsafe self.transfer = transfer
    self.attempt = attempt
  }

  /// While it is being made, the thread frees it.
  deinit { if attempt.leave() { unsafe ccurl_close(transfer) } }

  /// Readable when the attempt to connect has ended.
  var descriptor: Int32 { attempt.descriptor }

  /// The result of the attempt; `nil`: success.
  var problem: StreamProblem? {
    switch attempt.code {
    case 0: unsafe ccurl_socket(transfer) >= 0 ? nil : .unreachable
    case nil, Self.noConnection: .unreachable
    case Self.noProxy, Self.noHost: .noSuchHost
    case Self.timedOut: .tooLate
    // 35, 51, 53, 54, 58, 59, 60, 77, 83, 90, 91: the handshake or the certificate.
    default: .notTrusted
    }
  }

  /// Readable when the peer has sent something.
  var socket: Int32 { unsafe ccurl_socket(transfer) }

  func receive(into buffer: inout [UInt8]) -> ReadResult {
    let count = unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe ccurl_receive(transfer, $0.baseAddress, $0.count)
    }
    switch count {
    case -1: return .wouldBlock
    case 1...: return .bytes(count)
    default: return .endOfFile
    }
  }

  /// The number of bytes that were sent; `nil`: none now. After a failure, all count as sent: the next read reports it.
  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBufferPointer { unsafe ccurl_send(transfer, $0.baseAddress, $0.count) }
    switch count {
    case 1...: return count
    case -1: return nil
    default: return bytes.count
    }
  }
}

/// The thread that makes a connection. Only it uses the transfer until it has ended.
final class SecureAttempt: Sendable {
  private enum State {
    case connecting
    /// Nobody waits for the connection any more.
    case left
    case ended(Int32)
  }

  private let state = Mutex(State.connecting)
  private let signal: ThreadSignal

  /// - Parameter transfer: the address of the transfer.
  init(_ transfer: UInt) throws(SystemError) {
    signal = try ThreadSignal()
    // The thread is not joined: it ends at the latest when the attempt times out.
    _ = try WorkerThread(name: "connect") { [self] in
      guard let transfer = unsafe OpaquePointer(bitPattern: transfer) else { return }
      let code = unsafe ccurl_connect(transfer)
      let isLeft = state.withLock { state in
        if case .left = state { return true }
        state = .ended(code)
        return false
      }
      if isLeft { unsafe ccurl_close(transfer) }
      signal.send()
    }
  }

  /// Readable when the attempt has ended.
  var descriptor: Int32 { signal.descriptor }

  /// libcurl's result; `nil`: the attempt has not ended.
  var code: Int32? { state.withLock { if case .ended(let code) = $0 { code } else { nil } } }

  /// Whether the caller frees the transfer; otherwise the thread does.
  func leave() -> Bool {
    state.withLock { state in
      if case .ended = state { return true }
      state = .left
      return false
    }
  }
}
