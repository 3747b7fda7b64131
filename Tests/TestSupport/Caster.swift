import Foundation

/// An NTRIP caster of another author, in a process of its own: prints a line for each request, with the version and the account.
package final class Caster {
  private let process = Process()
  private let output = PipeLines(patience: 30_000)
  private let input = Pipe()
  package let port: UInt16

  package struct NoPort: Error {}

  /// - Parameters:
  ///   - mode: `v1`, `v2`, `chunked`, `refused` (401), `absent` (404), `list` (a list of mount points instead of corrections), `silent`.
  ///   - certificate: the files of a certificate and its key; `nil`: without TLS.
  package init(_ mode: String, certificate: (chain: String, key: String)? = nil) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", "-u", "-c", Self.program, mode] + (certificate.map { [$0.chain, $0.key] } ?? [])
    process.standardOutput = output.pipe
    process.standardInput = input
    try process.run()
    try output.processHasBegun()
    guard let port = UInt16(String(decoding: output.next() ?? [], as: UTF8.self)) else { throw NoPort() }
    self.port = port
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next request.
  package func next() -> String? { output.next().map { String(decoding: $0, as: UTF8.self) } }

  private static let program = #"""
    import base64, math, socket, ssl, sys, threading, time
    mode = sys.argv[1]
    context = None
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])

    def frame(message):
        data = bytes([0xD3, len(message) >> 8, len(message) & 255]) + message
        crc = 0
        for byte in data:
            crc ^= byte << 16
            for _ in range(8):
                crc <<= 1
                if crc & 0x1000000: crc ^= 0x1864CFB
        return data + bytes([crc >> 16 & 255, crc >> 8 & 255, crc & 255])

    def bits(*fields):
        value, count = 0, 0
        for number, width in fields:
            value = value << width | number & (1 << width) - 1
            count += width
        pad = -count % 8
        return (value << pad).to_bytes((count + pad) // 8, "big")

    def station():
        # WGS 84, some kilometers from the simulated receiver.
        latitude, longitude, height = math.radians(47.30), math.radians(8.55), 500.0
        a, e2 = 6378137.0, 6.69437999014e-3
        n = a / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
        x = (n + height) * math.cos(latitude) * math.cos(longitude)
        y = (n + height) * math.cos(latitude) * math.sin(longitude)
        z = (n * (1 - e2) + height) * math.sin(latitude)
        t = [round(v * 1e4) for v in (x, y, z)]
        return frame(bits((1006, 12), (77, 12), (0, 10), (t[0], 38), (0, 2), (t[1], 38), (0, 2), (t[2], 38), (0, 16)))

    def observations(): return frame(bits((1077, 12), (77, 12), (0, 30)) + bytes(range(60)))

    TABLE = (b"STR;BASE;Here;RTCM 3.2;1006(10),1077(1);2;GPS+GLO;None;CHE;47.30;8.55;0;0;own;none;B;N;9600;\r\n"
             b"STR;FAR;There;RTCM 3.2;1006(10),1077(1);2;GPS;None;FRA;43.00;2.00;1;1;own;none;B;N;9600;\r\n"
             b"ENDSOURCETABLE\r\n")

    def serve(connection):
        try:
            if context: connection = context.wrap_socket(connection, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                piece = connection.recv(4096)
                if not piece: return
                request += piece
            lines = request.decode("latin-1").split("\r\n")
            account = [base64.b64decode(l.split()[-1]).decode() for l in lines if l.startswith("Authorization: Basic ")]
            print(lines[0], "v2" if any(l == "Ntrip-Version: Ntrip/2.0" for l in lines) else "v1", *account)
            if lines[0].startswith("GET / ") or mode == "list":
                connection.sendall(b"SOURCETABLE 200 OK\r\nContent-Length: %d\r\n\r\n" % len(TABLE) + TABLE)
                return
            if mode == "refused":
                connection.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
                return
            if mode == "absent":
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return
            if mode == "v1": connection.sendall(b"ICY 200 OK\r\n\r\n")
            elif mode == "chunked":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\nTransfer-Encoding: chunked\r\n\r\n")
            else: connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n")
            while True:
                if mode == "silent":
                    time.sleep(1)
                    continue
                data = station() + observations()
                if mode == "chunked":
                    # The ends of frames and chunks are not the same.
                    for part in (data[:17], data[17:]): connection.sendall(b"%x\r\n" % len(part) + part + b"\r\n")
                else: connection.sendall(data)
                time.sleep(0.5)
        except OSError:
            pass
        finally:
            connection.close()

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1])
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """#
}

/// A throw-away certificate authority, and a certificate of it for `localhost`.
package struct TestAuthority {
  package let (authority, chain, key): (String, String, String)

  package struct Failed: Error {}

  /// Needs openssl(1).
  package init(in folder: String) throws {
    (authority, chain, key) = (folder + "/ca.pem", folder + "/server.pem", folder + "/server.key")
    try Data("subjectAltName=DNS:localhost\n".utf8).write(to: URL(fileURLWithPath: folder + "/names"))
    let new = ["req", "-newkey", "rsa:2048", "-nodes", "-batch"]
    try Self.run(new + ["-x509", "-days", "2", "-subj", "/CN=Test", "-keyout", folder + "/ca.key", "-out", authority])
    try Self.run(new + ["-subj", "/CN=localhost", "-keyout", key, "-out", folder + "/request.pem"])
    try Self.run([
      "x509", "-req", "-in", folder + "/request.pem", "-CA", authority, "-CAkey", folder + "/ca.key", "-CAcreateserial",
      "-days", "2", "-extfile", folder + "/names", "-out", chain,
    ])
  }

  private static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
  }
}
