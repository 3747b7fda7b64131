import Foundation

/// A receiver in a network: a program of another author, which speaks NMEA over TCP or UDP. It sends five epochs a second.
package final class NetworkReceiver {
  private let process = Process()
  private let output = PipeLines(patience: 30_000)
  private let input = Pipe()
  /// The port where it listens; 0 if it sends.
  package private(set) var port: UInt16 = 0

  /// - Parameters:
  ///   - role: `tcp`: listens; `connect` or `udp`: sends to `port`.
  ///   - port: 0: a free one.
  ///   - most: closes each connection after this many epochs; 0: never.
  package init(_ role: String, port: UInt16 = 0, most: Int = 0) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", Self.program, role, "\(port)", "\(most)"]
    process.standardOutput = output.pipe
    process.standardInput = input
    try process.run()
    try output.processHasBegun()
    self.port = UInt16(String(decoding: output.next() ?? [], as: UTF8.self)) ?? 0
  }

  deinit {
    // SIGTERM is blocked in a child process of a thread that has hosted a service.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next line that it prints: one for each connection.
  package func next() -> String? { output.next().map { String(decoding: $0, as: UTF8.self) } }

  private static let program = #"""
    import datetime, socket, sys, threading, time
    role, port, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    def sentence(content):
        total = 0
        for byte in content: total ^= byte
        return b"$" + content + b"*%02X\r\n" % total

    def epoch():
        now = datetime.datetime.now(datetime.timezone.utc)
        clock = now.strftime("%H%M%S.").encode() + b"%02d" % (now.microsecond // 10000)
        date = now.strftime("%d%m%y").encode()
        place = b"4717.0000,N,00833.0000,E"
        return (sentence(b"GNRMC," + clock + b",A," + place + b",0.0,," + date + b",,,A,V")
                + sentence(b"GNGGA," + clock + b"," + place + b",1,08,1.0,10.0,M,47.0,M,,"))

    def feed(send):
        count = 0
        while not most or count < most:
            send(epoch())
            count += 1
            time.sleep(0.2)

    def serve(connection):
        print("connected")
        try:
            feed(connection.sendall)
        except OSError:
            pass
        finally:
            connection.close()

    if role == "tcp":
        listener = socket.create_server(("127.0.0.1", port))
        print(listener.getsockname()[1])
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    print(port)
    if role == "udp":
        out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        def send(data):
            try: out.sendto(data, ("127.0.0.1", port))
            except OSError: pass
        feed(send)
    while True:
        try: serve(socket.create_connection(("127.0.0.1", port)))
        except OSError: time.sleep(0.1)
    """#
}

/// A TCP or UDP port of this machine that nobody uses now.
package func freePort(isDatagram: Bool = false) throws -> UInt16 {
  struct NoPort: Error {}
  let fd = socket(AF_INET, Int32((isDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
  defer { close(fd) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(fd, $0, length) == 0
        && getsockname(fd, $0, &length) == 0
    }
  }
  guard isBound else { throw NoPort() }
  return UInt16(bigEndian: address.sin_port)
}
