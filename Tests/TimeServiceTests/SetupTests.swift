import Testing
import TimeService

@Suite struct SetupTests {
  @Test func snippet() {
    #expect(
      ChronySnippet().text == """
        # Time from GNSS receivers, sent by locationd. See locationctl(1).
        refclock SOCK /run/chrony.locationd.sock refid GNSS poll 2 delay 0.20 precision 1e-3

        """)
    #expect(
      ChronySnippet(pulseDevice: "/dev/pps0", uncertaintySeconds: 0.002).text == """
        # Time from GNSS receivers, sent by locationd. See locationctl(1).
        refclock SOCK /run/chrony.locationd.sock refid GNSS poll 2 delay 0.02 precision 1e-3 noselect
        refclock PPS /dev/pps0 lock GNSS refid PPS

        """)
  }

  @Test(arguments: [(0.1, 0.2), (0.0, 0.02), (0.0151, 0.04), (5.0, 1.0), (Double.nan, 1.0)])
  func delays(uncertainty: Double, delay: Double) {
    #expect(abs(ChronySnippet.delay(uncertaintySeconds: uncertainty) - delay) < 1e-9)
  }

  /// What `time setup` has written is recognized, and what somebody has changed is not.
  @Test func ownText() {
    #expect(ChronySnippet.isOwn(ChronySnippet().text))
    let pulses = ChronySnippet(pulseDevice: "/dev/pps1", uncertaintySeconds: 0.0123).text
    #expect(ChronySnippet.isOwn(pulses))
    for text in [
      "", "refclock SOCK /run/chrony.locationd.sock refid GNSS poll 2 delay 0.20 precision 1e-3\n",
      pulses.replacing("poll 2", with: "poll 3"), pulses + "# mine\n",
      ChronySnippet().text.replacing("0.20", with: "0.2"),
    ] {
      #expect(!ChronySnippet.isOwn(text), "\(text)")
    }
  }

  /// Debian's own file has nothing to say against, and the snippet has no findings besides that it is there.
  @Test func debian() {
    let debian = """
      # Welcome to the chrony configuration file.
      confdir /etc/chrony/conf.d
      pool 2.debian.pool.ntp.org iburst
      sourcedir /run/chrony-dhcp
      keyfile /etc/chrony/chrony.keys
      driftfile /var/lib/chrony/chrony.drift
      maxupdateskew 100.0
      rtcsync
      makestep 1 3
      leapsectz right/UTC
      """
    #expect(ChronyFinding.check(ChronyConfiguration(debian)).isEmpty)
    let all = debian + "\n" + ChronySnippet().text
    #expect(ChronyFinding.check(ChronyConfiguration(all)) == [.present(line: 12)])
    let pulses = debian + "\n" + ChronySnippet(pulseDevice: "/dev/pps0").text
    #expect(ChronyFinding.check(ChronyConfiguration(pulses)) == [.present(line: 12)])
  }

  private func check(_ text: String, delay: ReceiverDelay? = nil) -> [ChronyFinding] {
    ChronyFinding.check(ChronyConfiguration("makestep 1 3\nconfdir /etc/chrony/conf.d/\n" + text), delay: delay)
  }

  @Test func findings() {
    let own = "refclock SOCK /run/chrony.locationd.sock"
    #expect(ChronyFinding.check(ChronyConfiguration("pool x")) == [.folderNotRead("/etc/chrony/conf.d"), .noStep])
    #expect(
      check("\(own) delay 0.1") == [.present(line: 3), .delayTooSmall(line: 3, seconds: 0.1, atLeast: 0.2)])
    #expect(check(own) == [.present(line: 3), .delayTooSmall(line: 3, seconds: 1e-9, atLeast: 0.2)])
    let measured = ReceiverDelay(seconds: 0.08, uncertaintySeconds: 0.002, basis: .pulse)
    #expect(check("\(own) delay 0.1", delay: measured) == [.present(line: 3)])
    #expect(
      check("\(own) delay 0.2 offset 0.12") == [.present(line: 3), .offsetTwice(line: 3, seconds: 0.12)])
    #expect(
      check("\(own) delay 0.2\n\(own) delay 0.2") == [.present(line: 3), .socketTwice(line: 4)])
    #expect(check("refclock SHM 0 offset 0.5 delay 0.2 refid NMEA") == [.otherReceiver(line: 3)])
    #expect(check("REFCLOCK sock /run/chrony.ttyACM0.sock") == [.otherReceiver(line: 3)])
    #expect(check("refclock PPS /dev/pps0 lock NMEA") == [.unknownLock(line: 3, name: "NMEA")])
    #expect(check("refclock PPS /dev/pps0:clear refid PPS") == [.pulseWithoutLock(line: 3)])
    #expect(
      check("refclock SHM 0 refid G\nrefclock PPS /dev/pps0 lock G\nrefclock PPS /dev/pps0:clear lock G")
        == [.otherReceiver(line: 3), .pulseTwice(line: 5)])
  }

  /// Reads the files below a tree as chronyd does, without that of this service.
  private func read(_ files: [String: String]) -> ChronyConfiguration {
    ChronyConfiguration(
      file: "/etc/chrony/chrony.conf", without: "/etc/chrony/conf.d/locationd.conf", text: { files[$0] },
      names: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
          .filter { !$0.contains("/") }.sorted(by: >)
      })
  }

  /// A reference clock is found in whichever file it is, and the finding names the file.
  @Test func includedFiles() {
    let clock = "# gpsd\nrefclock SHM 0 refid NMEA\n"
    var files = [
      "/etc/chrony/chrony.conf": "confdir /etc/chrony/conf.d/ /lib/conf\ninclude /opt/*-clock?.inc\nmakestep 1 3\n",
      "/etc/chrony/conf.d/b.conf": clock, "/etc/chrony/conf.d/a.conf": "include /x\n", "/x": "include /x\n",
      "/etc/chrony/conf.d/c.sources": clock, "/lib/conf/b.conf": clock, "/lib/conf/aa.conf": clock,
      "/opt/my-clock1.inc": clock, "/opt/my-clock.inc": clock, "/opt/.a-clock1.inc": clock,
      "/etc/chrony/conf.d/locationd.conf": ChronySnippet().text,
    ]
    let lines = ["/lib/conf/aa.conf", "/etc/chrony/conf.d/b.conf", "/opt/my-clock1.inc"].map {
      ChronyFinding.otherReceiver(line: ChronyLine(file: $0, 2))
    }
    #expect(ChronyFinding.check(read(files)) == lines)
    files["/etc/chrony/conf.d/z.conf"] = "\n" + ChronySnippet().text
    #expect(
      ChronyFinding.check(read(files)).first == .present(line: ChronyLine(file: "/etc/chrony/conf.d/z.conf", 3)))
    #expect(read([:]).directives.isEmpty)
  }

  @Test func commentsAndDamage() {
    #expect(check("# refclock SHM 0\n! refclock SHM 0\n% x\n; x\n\n   \nrefclock\nrefclock SHM").isEmpty)
    #expect(check("refclock PHC /dev/ptp0 refid").isEmpty)
    #expect(ChronyConfiguration("").directives.isEmpty)
  }

  @Test func overlay() throws {
    let overlay = try #require(PulseOverlay())
    #expect(overlay.line == "dtoverlay=pps-gpio,gpiopin=18")
    #expect(try #require(PulseOverlay(gpio: 4)).line == "dtoverlay=pps-gpio,gpiopin=4")
    #expect(PulseOverlay(gpio: 28) == nil && PulseOverlay(gpio: -1) == nil)
    #expect(overlay.check("") == .missing && overlay.check("#dtoverlay=pps-gpio,gpiopin=18") == .missing)
    #expect(overlay.check("dtparam=audio=on\n  dtoverlay=pps-gpio , gpiopin=18\r\n") == .present(line: 2))
    #expect(overlay.check("dtoverlay=pps-gpio\n") == .present(line: 1))
    #expect(
      overlay.check("dtoverlay=pps-gpio,gpiopin=4")
        == .different(line: 1, text: "dtoverlay=pps-gpio,gpiopin=4"))
    #expect(overlay.check("[pi4]\ndtoverlay=pps-gpio,gpiopin=18") == .conditional(line: 2, section: "pi4"))
    #expect(overlay.check("[pi4]\n[all]\ndtoverlay=pps-gpio,gpiopin=18") == .present(line: 3))
    var falling = overlay
    falling.isFallingEdge = true
    #expect(falling.line == "dtoverlay=pps-gpio,gpiopin=18,assert_falling_edge")
    #expect(falling.check(falling.line) == .present(line: 1) && overlay.check(falling.line) != .present(line: 1))
  }
}
