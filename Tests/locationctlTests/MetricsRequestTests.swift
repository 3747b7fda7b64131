import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing
import locationctl

/// HTTP requests for the metrics, most of them hostile.
@Suite struct MetricsRequestTests {
  private func state(_ text: String) -> MetricsRequest.State {
    var request = MetricsRequest()
    request.receive(text.utf8)
    return request.state
  }

  @Test(arguments: [
    "GET /metrics HTTP/1.1\r\nHost: localhost:29470\r\n\r\n", "GET / HTTP/1.1\r\nhost: 127.0.0.1:29470\r\n\r\n",
    "GET /metrics?x=1 HTTP/1.0\r\nHost: [::1]:29470\r\nAccept: */*\r\n\r\n",
    "GET /metrics HTTP/1.1\nHost:LOCALHOST\n\n",
    "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nmore that is ignored",
  ]) func aRequestOfThisMachineIsAccepted(text: String) { #expect(state(text) == .accepted) }

  @Test(arguments: [
    ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", MetricsRequest.Refusal.otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.nip.io\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: localhost:80@evil.example\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: localhost:\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: 192.168.1.7:29470\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost:\r\n\r\n", .otherHost),
    ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", .malformed),
    ("GET /metrics HTTP/1.1\r\n\r\n", .malformed), ("GET /metrics\r\n\r\n", .malformed),
    ("GET  /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", .malformed),
    ("GET /metrics HTTP/2.0\r\nHost: localhost\r\n\r\n", .malformed), ("\r\n\r\n", .malformed),
    ("GET /metrics\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n", .malformed),
    ("POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", .otherMethod),
    ("get /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", .otherMethod),
    ("GET /metrics/../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", .noSuchPage),
    ("GET http://localhost/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", .noSuchPage),
  ]) func anyOtherRequestIsRefused(text: String, refusal: MetricsRequest.Refusal) {
    #expect(state(text) == .refused(refusal))
    // However it arrives.
    var request = MetricsRequest()
    for byte in text.utf8 { request.receive([byte]) }
    #expect(request.state == .refused(refusal))
    let response = String(decoding: request.response { Array("secret".utf8) }, as: UTF8.self)
    #expect(response.hasPrefix("HTTP/1.1 \(refusal.rawValue) "))
    #expect(!response.contains("secret") && !response.contains("evil"))
  }

  @Test func aRequestHasABound() {
    var request = MetricsRequest()
    request.receive("GET /metrics HTTP/1.1\r\nHost: localhost\r\n".utf8)
    for _ in 0..<100_000 where request.state == .incomplete {
      request.receive("X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n".utf8)
    }
    #expect(request.state == .refused(.tooLong))
  }

  @Test func aRequestThatDoesNotEndIsRefused() {
    var request = MetricsRequest()
    request.receive("GET / HTTP/1.1\r\n".utf8)
    #expect(request.state == .incomplete)
    #expect(request.response { [] } == [])
    request.end(isLate: true)
    #expect(request.state == .refused(.tooLate))
  }

  @Test(arguments: 0..<40) func anyBytesHaveAResponse(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "GET ", "/metrics", " HTTP/1.1", "\r\n", "\n", "Host: localhost", "Host:", ":", "\u{0}", "é", "\r", " ",
      "Transfer-Encoding: chunked", "Content-Length: 99999999999999999999",
    ]
    for _ in 0..<200 {
      var request = MetricsRequest()
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        request.receive((parts.randomElement(using: &random) ?? "").utf8)
      }
      request.end(isLate: false)
      #expect(request.state != .incomplete)
      let response = String(decoding: request.response { Array("metrics".utf8) }, as: UTF8.self)
      #expect(response.hasPrefix("HTTP/1.1 ") && response.contains("Connection: close\r\n"))
      #expect((request.state == .accepted) == response.hasSuffix("metrics"))
    }
  }
}

/// The metrics themselves.
@Suite struct PrometheusTextTests {
  private static let now = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)

  private func text(_ status: ServiceStatus?, fix: PositionFix? = nil) -> String {
    String(decoding: PrometheusText.text(status, fix: fix, own: 7, now: Self.now), as: UTF8.self)
  }

  private var busy: ServiceStatus {
    var status = ServiceStatus(source: "auto")
    (status.version, status.processID, status.runningFor) = ("0.1.0", 5, .seconds(90))
    (status.lastFixAge, status.lastFixRadius68, status.satellitesUsed, status.satellitesInView) = (
      .milliseconds(150), Meters(2.5), 9, 14
    )
    var client = ClientStatus(name: "a \"name\"")
    (client.processID, client.streams, client.undecided) = (8, 2, 1)
    var own = ClientStatus(name: "locationctl")
    own.processID = 7
    status.clients = [client, own]
    status.bounds = [ReachedBound(ServiceBound(.requests, limit: 4096, userID: 1000), times: 3, ago: .seconds(5))]
    status.devices = [
      DeviceDescription(id: "usb-1", path: "/dev/ttyACM0", kind: .receiver, state: .fixing),
      DeviceDescription(id: "usb-2", path: "/dev/ttyACM1", kind: .receiver, state: .fixing),
    ]
    var log = LogDescription(name: "drive", isRunning: true, options: LogOptions(), bytes: 3_000_000_000)
    log.end = Self.now + .seconds(-12)
    status.logs = [log]
    return status
  }

  @Test func withoutADaemonThereIsOneMetric() {
    #expect(text(nil) == "# HELP locationd_up Whether locationd answers.\n# TYPE locationd_up gauge\nlocationd_up 0\n")
  }

  @Test func eachMetricHasItsValue() {
    let lines = Set(text(busy).split(separator: "\n").map(String.init))
    for line in [
      "locationd_up 1", "locationd_build_info{version=\"0.1.0\"} 1", "locationd_uptime_seconds 90.000",
      "locationd_fix_age_seconds 0.150", "locationd_fix_radius_meters 2.500", "locationd_satellites_used 9",
      "locationd_satellites_in_view 14", "locationd_clients 1", "locationd_requests{kind=\"updates\"} 2",
      "locationd_requests{kind=\"paused\"} 1", "locationd_receivers{state=\"fixing\"} 2",
      "locationd_receivers{state=\"busy\"} 0", "locationd_logs{state=\"recording\"} 1",
      "locationd_logs_bytes 3000000000", "locationd_log_newest_point_age_seconds 12.000",
      "locationd_bound_refusals_last_hour{bound=\"requests\"} 3", "locationd_source_active{source=\"satellites\"} 0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  /// A client without access sees no reception, and nobody sees a position without asking for it.
  @Test func whatIsHiddenStaysHidden() {
    let hidden = text(busy.withoutSky)
    for name in ["fix_age", "fix_radius", "satellites_used", "satellites_in_view", "source_active"] {
      #expect(!hidden.contains("locationd_\(name)"))
    }
    #expect(!text(busy).contains("latitude") && !text(busy).contains("name"))
  }

  @Test func aPositionIsAddedOnRequest() {
    var fix = PositionFix(
      time: Self.now, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 47.285), longitude: Angle(degrees: -8.565)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.heightAboveMeanSeaLevel = Meters(412.5)
    let text = text(busy, fix: fix)
    #expect(text.contains("\nlocationd_fix_latitude_degrees 47.2850000\n"))
    #expect(text.contains("\nlocationd_fix_longitude_degrees -8.5650000\n"))
    #expect(text.contains("\nlocationd_fix_altitude_meters 412.50\n"))
  }

  /// Each metric has one HELP and one TYPE line, before its samples.
  @Test func metricsAreInGroups() {
    var named: [String] = []
    for line in text(busy).split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# HELP") {
        named.append(String(words[2]))
      } else if line.hasPrefix("# TYPE") {
        #expect(words[2] == named.last.map { Substring($0) } ?? "" && words[3] == "gauge")
      } else {
        #expect(line.prefix { $0 != " " && $0 != "{" } == named.last.map { Substring($0) } ?? "")
      }
    }
    #expect(Set(named).count == named.count)
    #expect(named.allSatisfy { $0.hasPrefix("locationd_") })
  }
}
