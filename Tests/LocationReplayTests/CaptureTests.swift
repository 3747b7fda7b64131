import Geodesy
import LocationReplay
import TestSupport
import Testing

/// Reads `file` in pieces of `size` bytes; returns all records, and the error that ended them, if there was one.
func read(_ file: [UInt8], by size: Int = .max) -> (records: [CaptureRecord], error: CaptureError?) {
  var reader = CaptureReader()
  var records: [CaptureRecord] = []
  do throws(CaptureError) {
    var start = 0
    while start < file.count {
      let end = start + min(size, file.count - start)
      reader.push(file.span.extracting(start..<end))
      while let record = try reader.next() { records.append(record) }
      start = end
    }
    try reader.finish()
    return (records, nil)
  } catch {
    return (records, error)
  }
}

private func capture(_ lines: String...) -> [UInt8] {
  Array((["swift-corelocation capture 1"] + lines).map { $0 + "\n" }.joined().utf8)
}

@Suite struct CaptureTests {
  @Test func everyKindOfLineIsRead() {
    let file = capture(
      "# made by hand", "", "0 start 0 2026-08-01T12:00:00.25Z",
      #"0 device 1 path=/dev/ttyACM0 usb=1546:01a7 product=u-blox\x207 serial=A\\B baud=9600 later=key"#,
      #"81250 bytes 1 $GPTXT,a b*00\r\n\xb5\x62\x00\\"#, "81250 speed 1 115200", "90000 scan 2 \\x01", "90001 gone 1",
      "90002 bytes 1")
    var device = CapturedDevice(path: "/dev/ttyACM0")
    device.usbVendorID = 0x1546
    device.usbProductID = 0x01A7
    device.product = "u-blox 7"
    device.serial = #"A\B"#
    device.baud = 9600
    let (records, error) = read(file)
    #expect(error == nil)
    #expect(
      records == [
        CaptureRecord(
          arrival: .zero, source: 0, event: .start(GNSSTime(nanosecondsSince1970: 1_785_585_600_250_000_000))),
        CaptureRecord(arrival: .zero, source: 1, event: .device(device)),
        CaptureRecord(
          arrival: .microseconds(81250), source: 1,
          event: .bytes(Array("$GPTXT,a b*00\r\n".utf8) + [0xB5, 0x62, 0x00, 0x5C])),
        CaptureRecord(arrival: .microseconds(81250), source: 1, event: .speed(baud: 115_200)),
        CaptureRecord(arrival: .microseconds(90000), source: 2, event: .scan([1])),
        CaptureRecord(arrival: .microseconds(90001), source: 1, event: .gone),
        CaptureRecord(arrival: .microseconds(90002), source: 1, event: .bytes([])),
      ])
  }

  @Test func whatIsWrittenIsReadHoweverItIsCut() {
    for seed in 1...40 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var writer = CaptureWriter()
      var file: [UInt8] = []
      var records: [CaptureRecord] = []
      var microseconds: Int64 = 0
      for _ in 0..<20 {
        microseconds += Int64(random.next(upperBound: 2_000_000 as UInt64))
        let record = CaptureRecord(
          arrival: .microseconds(microseconds), source: Int(random.next(upperBound: 10_000 as UInt64)),
          event: Self.event(&random))
        records.append(record)
        if random.next(upperBound: 4 as UInt64) == 0 { file += writer.comment("two\nlines \u{7} 10 µs") }
        file += writer.encode(record)
      }
      #expect(read(file) == (records, nil))
      #expect(read(file, by: 1) == (records, nil))
      #expect(read(file, by: Int(random.next(upperBound: 200 as UInt64)) + 2) == (records, nil))
    }
  }

  @Test func whatCannotBeWrittenIsBroughtIntoRange() {
    var writer = CaptureWriter()
    var device = CapturedDevice(path: "")
    device.product = String(repeating: "é", count: 5000)
    device.baud = -1
    let payload = [UInt8](repeating: 0xFF, count: 40_000)
    let file =
      writer.encode(CaptureRecord(arrival: .seconds(5), source: -3, event: .device(device)))
      + writer.encode(CaptureRecord(arrival: .seconds(4), source: 70_000, event: .bytes(payload)))
      + writer.encode(CaptureRecord(arrival: .seconds(Int64.max), source: 1, event: .speed(baud: .max)))
    let (records, error) = read(file)
    #expect(error == nil)
    #expect(records.map(\.source) == [0, 9999, 9999, 9999, 1])
    #expect(records.prefix(4).allSatisfy { $0.arrival == .seconds(5) })
    #expect(records.last?.arrival == CaptureFormat.latestArrival)
    var bytes: [UInt8] = []
    for record in records {
      switch record.event {
      case .device(let read):
        #expect(read.path == "?")
        #expect(read.product == String(repeating: "é", count: 2000))
        #expect(read.baud == 1)
      case .bytes(let payload): bytes += payload
      case .speed(let baud): #expect(baud == CaptureFormat.highestBaud)
      case .start, .scan, .gone: Issue.record("not written")
      }
    }
    #expect(bytes == payload)
  }

  @Test func aCutFileKeepsAllButItsLastLine() {
    let file = capture("0 bytes 1 one", "5 bytes 1 two")
    let one = CaptureRecord(arrival: .zero, source: 1, event: .bytes(Array("one".utf8)))
    for length in 0..<file.count {
      let (records, error) = read(Array(file.prefix(length)))
      if length == 0 {
        #expect(error?.problem == .notACapture(found: ""))
      } else if length == 29 || length == 43 {
        #expect(error == nil, "a cut between lines")
      } else {
        #expect(error?.problem == .truncated)
        #expect(error?.line == (length < 29 ? 1 : length < 43 ? 2 : 3))
      }
      #expect(records == (length >= 43 ? [one] : []))
    }
  }

  @Test(arguments: [
    ("x bytes 1 a", CaptureError.Problem.expected(.microseconds, found: "x")),
    ("-1 bytes 1 a", .expected(.microseconds, found: "-1")),
    ("1000000000000000 bytes 1 a", .expected(.microseconds, found: "1000000000000000")),
    ("6 byte 1 a", .expected(.kind, found: "byte")), ("6", .expected(.kind, found: "")),
    ("6 bytes one a", .expected(.source, found: "one")), ("6 bytes 10000 a", .expected(.source, found: "10000")),
    (#"6 bytes 1 a\q"#, .expected(.escape, found: #"a\\q"#)), (#"6 bytes 1 \x4"#, .expected(.escape, found: #"\\x4"#)),
    ("6 bytes 1 a\tb", .expected(.escape, found: #"a\x09b"#)), ("6 gone 1 a", .expected(.endOfLine, found: "a")),
    ("6 speed 1 0", .expected(.baud, found: "0")), ("6 speed 1", .expected(.baud, found: "")),
    ("6 start 0 2026-02-30T00:00:00Z", .expected(.utcTime, found: "2026-02-30T00:00:00Z")),
    ("6 start 0 2026-02-03T00:00:00.Z", .expected(.utcTime, found: "2026-02-03T00:00:00.Z")),
    ("6 start 0 9999-02-03T00:00:00Z", .expected(.utcTime, found: "9999-02-03T00:00:00Z")),
    ("6 device 1 product=x", .expected(.devicePath, found: "product=x")),
    ("6 device 1 path", .expected(.keyAndValue, found: "path")),
    ("6 device 1 path=a path=b", .expected(.valueOnce, found: "path=b")),
    ("6 device 1 path=a usb=1546", .expected(.usbID, found: "1546")),
    ("6 device 1 path=a usb=+154:01a7", .expected(.usbID, found: "+154:01a7")),
    ("6 device 1 path=a baud=fast", .expected(.baud, found: "fast")),
    (#"6 device 1 path=\xff"#, .expected(.utf8, found: #"path=\\xff"#)),
    ("4 bytes 1 a", .timeWentBackwards(microseconds: 4, previous: 5)),
  ])
  func errorsAreReportedWithTheirLine(line: String, problem: CaptureError.Problem) {
    let (records, error) = read(capture("# one", "5 bytes 1 first", line, "7 bytes 1 never read"))
    #expect(records.count == 1)
    #expect(error?.line == 4)
    #expect(error?.problem == problem)
  }

  @Test func otherFilesAreRefusedAtTheirFirstLine() {
    #expect(
      read(Array("$GPRMC,1*00\n".utf8)).error?.description
        == #"line 1: expected "swift-corelocation capture 1", found "$GPRMC,1*00""#)
    #expect(read(Array("swift-corelocation capture 2\n".utf8)).error?.problem == .unsupportedVersion(found: "2"))
    #expect(
      read([UInt8](repeating: 0, count: 1_000_000)).error?.problem
        == .notACapture(found: String(repeating: #"\x00"#, count: 10).prefix(39) + "…"))
    #expect(read([0x7F, 0x45]).error?.problem == .notACapture(found: #"\x7fE"#))
  }

  @Test func anEndlessLineIsRefusedWithoutBeingKept() {
    let line = Array("5 bytes 1 ".utf8) + [UInt8](repeating: 0x41, count: 200_000)
    for size in [1000, 65_536, .max] {
      let error = read(capture("# one") + line, by: size).error
      #expect(error == read(capture("# one") + line + [0x0A], by: size).error)
      #expect(error?.line == 3)
      #expect(error?.problem == .lineTooLong(limit: CaptureFormat.maximumLineLength))
    }
  }

  @Test func lineEndsOfOtherSystemsAreTaken() {
    let file = String(decoding: capture("0 bytes 1 one\\r\\n"), as: UTF8.self).replacing("\n", with: "\r\n")
    #expect(
      read(Array(file.utf8)) == ([CaptureRecord(arrival: .zero, source: 1, event: .bytes(Array("one\r\n".utf8)))], nil))
  }

  @Test func flippedBitsNeverStopTheReaderFromAnswering() {
    var writer = CaptureWriter()
    var random = SplitMix64(seed: 7)
    let file = (0..<30).flatMap { n in
      writer.encode(CaptureRecord(arrival: .milliseconds(n), source: 1, event: Self.event(&random)))
    }
    for _ in 0..<300 {
      var hurt = file
      for _ in 0..<3 {
        hurt[Int(random.next(upperBound: UInt64(hurt.count)))] ^= 1 << UInt8(random.next(upperBound: 8 as UInt64))
      }
      let (records, error) = read(hurt, by: 4096)
      #expect(records.count <= 40)
      #expect(error.map { (1...60).contains($0.line) } ?? true)
    }
  }

  private static func event(_ random: inout SplitMix64) -> CaptureEvent {
    let payload = (0..<random.next(upperBound: 300 as UInt64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    switch random.next(upperBound: 6 as UInt64) {
    case 0: return .start(GNSSTime(nanosecondsSince1970: Int64(truncatingIfNeeded: random.next())))
    case 1:
      var device = CapturedDevice(path: "/dev/tty \(random.next())")
      device.manufacturer = "=µ\u{0}\n \\ "
      device.usbVendorID = UInt16(truncatingIfNeeded: random.next())
      device.usbProductID = UInt16(truncatingIfNeeded: random.next())
      device.product = ""
      return .device(device)
    case 2: return .speed(baud: 1 + Int(random.next(upperBound: 1_000_000 as UInt64)))
    case 3: return .scan(payload)
    case 4: return .gone
    default: return .bytes(payload)
    }
  }
}
