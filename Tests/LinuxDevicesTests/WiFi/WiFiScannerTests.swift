import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import Positioning
import Testing

/// The scanner on the kernel that runs the tests, whatever that kernel supports.
@Suite struct WiFiScannerTests {
  /// Whether the kernel has Wi-Fi, determined independently of the scanner.
  private static let hasWiFi = FileManager.default.fileExists(atPath: "/sys/class/ieee80211")
  private static let hasRadio =
    (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/ieee80211"))?.isEmpty == false

  /// The capability that the scanner reports first.
  private func outlook() throws -> RadioCapability {
    let loop = try EventLoop()
    var reported: RadioCapability?
    let scanner = WiFiScanner(loop: loop) { event in
      if case .outlook(let outlook) = event, outlook != .starting {
        reported = outlook
        loop.stop()
      }
    }
    loop.schedule(at: loop.now + .seconds(30)) { loop.stop() }
    try loop.run()
    #expect(scanner.outlook == reported && scanner.malformedMessages == 0)
    scanner.close()
    return try #require(reported)
  }

  @Test(.disabled(if: hasWiFi, "this kernel has Wi-Fi")) func aKernelWithoutWiFiSaysSo() throws {
    #expect(try outlook() == .deaf(.noKernelSupport))
  }

  @Test(.enabled(if: hasWiFi && !hasRadio, "this kernel has no Wi-Fi, or a radio")) func aMachineWithoutARadio() throws
  {
    #expect(try outlook() == .deaf(.noRadio))
  }

  @Test(.enabled(if: hasRadio, "this machine has no radio")) func aRadioIsHeard() throws {
    guard case .listening = try outlook() else {
      Issue.record("a radio, and nothing to be had of it")
      return
    }
  }

  /// After the scanner is closed, no event comes, and it is released with its owner.
  @Test func closed() throws {
    let loop = try EventLoop()
    var events = 0
    var scanner: WiFiScanner? = WiFiScanner(loop: loop) { _ in events += 1 }
    scanner?.setPolicy(ScanPolicy(period: .seconds(10)))
    scanner?.close()
    scanner = WiFiScanner(loop: loop) { _ in events += 1 }
    scanner = nil
    loop.schedule(at: loop.now) { loop.stop() }
    try loop.run()
    #expect(events == 0 && scanner == nil)
  }
}
