package import Foundation

/// A web server on this machine that replaces a provider and a server of tiles, in a separate process (Python's `http.server`).
/// Its answers depend on the requested path; the requests are stored in a file. It ends when this object is released.
package final class StandInServer {
  package static let python = "/usr/bin/python3"

  /// Whether the programs for the server and for the requests exist.
  package static let isPossible = FileManager.default.isExecutableFile(atPath: python) && hasLibrary

  private static var hasLibrary: Bool {
    unsafe dlopen("libcurl.so.4", RTLD_LAZY) != nil || dlopen("libcurl-gnutls.so.4", RTLD_LAZY) != nil
  }

  /// The folder whose files are served unchanged.
  package let folder: URL
  package let port: Int
  private let process = Process()
  private let output = PipeLines(patience: 30_000)

  package struct DidNotStart: Error {}

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["-c", Self.program, folder.path]
    process.standardOutput = output.pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try output.processHasBegun()
    guard let line = output.next(), let port = Int(String(decoding: line, as: UTF8.self)) else { throw DidNotStart() }
    self.port = port
  }

  deinit {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Answers queries for places as Nominatim does.
  package func servePlaces() throws {
    let files = folder.appendingPathComponent("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for name in ["reverse", "search"] {
      try Data(ProviderAnswers.nominatim.utf8).write(to: files.appendingPathComponent(name))
    }
  }

  package func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Everything that was sent to it: request lines, headers and bodies.
  package var received: [UInt8] {
    (try? Data(contentsOf: folder.appendingPathComponent("received"))).map { Array($0) } ?? []
  }

  /// The number of requests that it received.
  package var count: Int {
    (try? Data(contentsOf: folder.appendingPathComponent("count"))).map { $0.count } ?? 0
  }

  private static let program = #"""
    import http.server, os, socketserver, sys, time
    folder = sys.argv[1]
    found = b'{"location":{"lat":47.5,"lng":8.5},"accuracy":80}'
    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True
        # Its own looks up its name, which takes long where nobody knows names.
        def server_bind(self):
            socketserver.TCPServer.server_bind(self)
            self.server_name, self.server_port = self.server_address[:2]
    class Answer(http.server.BaseHTTPRequestHandler):
        def say(self, status, body=b"", **headers):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try: self.wfile.write(b"" if self.command == "HEAD" else body)
            except OSError: pass
        def serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with open(folder + "/received", "ab") as file:
                file.write(self.requestline.encode() + b"\r\n" + str(self.headers).encode() + body + b"\r\n")
            with open(folder + "/count", "ab") as file: file.write(b".")
            path = self.path.split("?")[0]
            # Requests to a server of places, whose API is below one of the addresses that follow.
            if path.count("/") == 2 and path.endswith(("/reverse", "/search")): path = path.rsplit("/", 1)[0]
            if path == "/found": self.say(200, found, Content_Type="application/json")
            elif path == "/not-found": self.say(404, b'{"error":{"code":404,"message":"Not found"}}')
            elif path == "/too-often": self.say(429, b"{}", Retry_After="7200")
            elif path == "/failing": self.say(500, b"oh")
            elif path == "/garbage": self.say(200, bytes(range(256)) * 8)
            elif path == "/page": self.say(200, b"<html><body>Sign in</body></html>", Content_Type="text/html")
            elif path == "/huge": self.say(200, b" " * (3 << 20))
            elif path == "/endless":
                self.send_response(200); self.end_headers()
                try:
                    while True: self.wfile.write(b" " * 65536)
                except OSError: pass
            elif path == "/hang":
                while not os.path.exists(folder + "/stop"): time.sleep(0.05)
            elif path == "/cut":
                self.send_response(200); self.send_header("Content-Length", "1000"); self.end_headers()
                self.wfile.write(b"{"); self.close_connection = True
            elif path == "/to-file": self.say(302, Location="file:///etc/hostname")
            elif path == "/to-other": self.say(302, Location="/found")
            elif path == "/to-inside":
                self.say(302, Location="http://127.0.0.2:%d/found" % self.server.server_address[1])
            elif path == "/circle": self.say(302, Location="/circle")
            else:
                name = os.path.join(folder, "files", *[part for part in path.split("/") if part not in ("", "..")])
                if os.path.isfile(name):
                    content, modified = open(name, "rb").read(), self.date_time_string(os.path.getmtime(name))
                    part = (self.headers.get("Range") or "").removeprefix("bytes=").split("-")
                    if len(part) == 2:
                        first, last = int(part[0]), min(int(part[1]), len(content) - 1)
                        self.say(206, content[first:last + 1], Last_Modified=modified,
                                 Content_Range="bytes %d-%d/%d" % (first, last, len(content)))
                    else: self.say(200, content, Last_Modified=modified)
                else: self.say(404, b"nothing here")
        do_GET = do_HEAD = do_POST = serve
        def log_message(self, *arguments): pass
    server = Server(("127.0.0.1", 0), Answer)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
