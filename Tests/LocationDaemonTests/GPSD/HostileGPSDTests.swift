import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdServer
import LocationdService
import Testing

/// Another program listens in place of gpsd, or its output is damaged on the way: in every case, the service continues, and uses
/// what it can decode.
@Suite(.serialized) struct HostileGPSDTests {
  /// A gpsd with one receiver, whose answers have the given damage; its bytes are valid NMEA among noise.
  private final class Server {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    let port: UInt16

    init(_ damage: String) throws {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", "-u", "-c", Self.program, damage]
      process.standardOutput = output
      process.standardInput = input
      try process.run()
      // The only line that the server prints is its port.
      var line: [UInt8] = []
      while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
        line.append(byte)
      }
      port = try #require(UInt16(String(decoding: line.dropLast(), as: UTF8.self)))
    }

    deinit {
      // SIGTERM is blocked in a child process of a thread that has hosted a service.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    private static let program = #"""
      import random, socket, sys, threading, time
      damage, random_source = sys.argv[1], random.Random(7)
      VERSION = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
      DEVICE = b'{"class":"DEVICE","path":"/dev/ttyX0","driver":"NMEA0183","activated":"2026-11-21T10:00:00.000Z","flags":1,"native":0}'
      DEVICES = b'{"class":"DEVICES","devices":[' + DEVICE + b']}\r\n'
      WATCH = b'{"class":"WATCH","enable":true,"json":false,"nmea":false,"raw":2,"scaled":false,"timing":false,"split24":false,"pps":false}\r\n'

      def noise(count):
          return bytes(random_source.randrange(256) for _ in range(count))

      GARBAGE = {
          "nothing": [],
          "noise": [noise(3000), b"\n", noise(3000)],
          "cut": [DEVICES[:40] + b"\r\n", WATCH[:-9] + b"\r\n", b"{\r\n", b'{"class":\r\n'],
          "long": [b'{"class":"TPV","device":"' + b"x" * 40000 + b'"}\r\n', b"y" * 70000 + b"\r\n"],
          "numbers": [b'{"class":"TPV","mode":3,"lat":1e999,"lon":NaN,"time":null,"altHAE":-1e308}\r\n', b'{"class":7}\r\n'],
          "deep": [b'{"class":"SKY","satellites":' + b"[" * 5000 + b"]" * 5000 + b"}\r\n"],
          "nul": [b'{"class":"TPV\0","mode":3}\r\n\0\0\0\r\n', b"\0" * 9000],
          "devices": [b'{"class":"DEVICES","devices":[' + b",".join([DEVICE.replace(b"X0", b"X%d" % n) for n in range(300)]) + b"]}\r\n"],
      }

      def sentence(content):
          total = 0
          for byte in content: total ^= byte
          return b"$" + content + b"*%02X\r\n" % total

      def serve(connection):
          try:
              connection.sendall(VERSION)
              request = b""
              while b"\n" not in request:
                  piece = connection.recv(1000)
                  if not piece: return
                  request += piece
              for piece in GARBAGE[damage]: connection.sendall(piece)
              connection.sendall(DEVICES)
              if b"WATCH" not in request:
                  connection.recv(1000)
                  return
              connection.sendall(WATCH)
              for second in range(60):
                  clock = b"1000%02d.00" % second
                  place = b"4717.0000,N,00833.0000,E"
                  connection.sendall(noise(50))
                  connection.sendall(sentence(b"GNRMC," + clock + b",A," + place + b",0.0,,211126,,,A,V"))
                  connection.sendall(sentence(b"GNGGA," + clock + b"," + place + b",1,08,1.0,10.0,M,47.0,M,,"))
                  time.sleep(0.2)
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

  private func host(_ server: Server) throws -> EmbeddedHost {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID().uuidString)")
    return try EmbeddedHost(
      source: .gpsd(GPSDAddress(host: "127.0.0.1", port: server.port)), stateFolder: state.path, minding: nil)
  }

  @Test(arguments: ["nothing", "cut", "long", "numbers", "deep", "devices"])
  func itsReceiverIsReceivedAllTheSame(damage: String) throws {
    let server = try Server(damage)
    let received = try host(server).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 150) { received, _ in
      updates(received).count < 3
    }
    let fixes = updates(received)
    #expect(fixes.count >= 3, "\(received)")
    for fix in fixes {
      #expect(abs(fix.coordinate.latitude.degrees - (47 + 17.0 / 60)) < 1e-6)
      #expect(abs(fix.coordinate.longitude.degrees - (8 + 33.0 / 60)) < 1e-6)
    }
  }

  /// If the answer is not even text, the server is not gpsd, and the failure says so.
  @Test(arguments: ["noise", "nul"]) func invalidTextIsNoGPSD(damage: String) throws {
    let server = try Server(damage)
    let received = try host(server).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 250) { received, _ in
      received.isEmpty
    }
    #expect(received == [.failed(RequestID(1), .noGPSD(address: "127.0.0.1:\(server.port)"))])
  }
}
