import Testing
import WireFormats

/// Sentences with a correct checksum whose content is invalid for their type: they have no effect except on a counter.
@Suite struct RejectedSentenceTests {
  @Test(arguments: [
    // Field counts.
    "GPRMC,181536.000,A,5936.79K,D", "GPRMC,1,A", "GPRMC,021417,A,3725.5,N,12205.6,W,0,0,070220,,,A,V,X",
    "GPGGA,021417,3725.5,N,12205.6,W,1,12,0.76,4.4,M,-30.0,M,0.0",
    "GPGGA,021417,3725.5,N,12205.6,W,1,12,0.76,4.4,M,-30.0,M,0.0,,,",
    "GPGGA,021417,3725.5,N,12205.6,W,1,12,1,4,M,3,M,0,,x",
    "GPGLL,3725.5,N,12205.6,W,021417", "GPVTG,1,T,2,M,3,N,4", "GPVTG,1,T,2,M,3,N,4,K,A,B", "GPGSA,A,3,1,2,3",
    "GPGSA,A,3,,,,,,,,,,,,,1,1,1,1,1", "GPGSA,A,3,,,,,,,,,,,,,1,1,1,1.,1",
    "PQGSV,1,1,01,05,40,083,46,0,x", "PQGSV,1,1,01,05,40,083,46,0,4,4", "GPGSV,1,1", "GPGSV,1,1,01,05,40",
    "GPGSV,1,1,05,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5",
    "GNGNS,103600,,,,,N,07,1,1,1", "GPZDA,1,2,3", "GPZDA,082710,16,09,2002,00,00,0", "GPGST,1,1", "GPGBS,1,1",
    "GPHDT,1,T,",
    "GPTHS,1", "GPTXT,01,01,02",
    "PUBX,00,081350,4717.11,N,00833.9,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0",
    "PUBX,04,073731", "PGRME,15.0,M,45.0,M", "PMTK001", "PMTK010,1,2", "PMTK011", "PUBX", "PUBX,", "PUBX,03",
    "PUBX,03,",
    "PUBX,03,02,23,-,,,45,010", "PUBX,03,01,23,-,,,45,010,24,-,,,45,010", "PUBX,03,01,23,-,,,45",
    // Status, quality, modes and units.
    "GPRMC,021417,X,3725.5,N,12205.6,W,0,0,070220,,,A", "GPRMC,021417,,3725.5,N,12205.6,W,0,0,070220,,,A",
    "GPRMC,021417,A,3725.5,N,12205.6,W,0,0,070220,,,Z", "GPRMC,021417,A,3725.5,N,12205.6,W,0,0,070220,,,AA",
    "GPGGA,021417,3725.5,N,12205.6,W,,12,0.76,4.4,M,-30.0,M,,",
    "GPGGA,021417,3725.5,N,12205.6,W,10,12,0.76,4.4,M,-30.0,M,,",
    "GPGGA,021417,3725.5,N,12205.6,W,1,12,0.76,4.4,F,-30.0,M,,", "GPVTG,1,M,2,M,3,N,4,K", "GPVTG,1,T,2,M,3,K,4,K",
    "GPGSA,X,3,,,,,,,,,,,,,1,1,1", "GPGSA,A,4,,,,,,,,,,,,,1,1,1", "GPGSA,A,,,,,,,,,,,,,,1,1,1", "GPHDT,1,M",
    "GPTHS,1,Z",
    "GNGNS,103600,5114.5,N,00012.2,W,AX,07,1,1,1,,", "GNGNS,103600,5114.5,N,00012.2,W,AAAAAAAAAAA,07,1,1,1,,",
    "PUBX,00,081350,4717.11,N,00833.9,E,546.589,XX,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
    "PGRME,15.0,F,45.0,M,25.0,M",
    "PUBX,03,01,23,XX,,,45,010",
    // A valid position without a required field.
    "GPRMC,021417,A,,,,,0,0,070220,,,A", "GPRMC,,A,3725.5,N,12205.6,W,0,0,070220,,,A",
    "GPGGA,021417,,,,,1,12,0.76,4.4,M,-30.0,M,,",
    "GPGLL,,,,,021417,A", "GNGNS,103600,,,,,AA,07,1,1,1,,",
    // Times and dates.
    "GPRMC,241417,V,,,,,,,,,,N", "GPRMC,026017,V,,,,,,,,,,N", "GPRMC,021461,V,,,,,,,,,,N", "GPRMC,02141,V,,,,,,,,,,N",
    "GPRMC,021417x,V,,,,,,,,,,N", "GPRMC,021417.0x,V,,,,,,,,,,N", "GPRMC,-21417,V,,,,,,,,,,N",
    "GPRMC,,V,,,,,,,000000,,,N",
    "GPRMC,,V,,,,,,,320120,,,N", "GPRMC,,V,,,,,,,011320,,,N", "GPRMC,,V,,,,,,,0101200,,,N", "GPRMC,,V,,,,,,,01012,,,N",
    "GPRMC,,V,,,,,,,310220,,,N", "GPRMC,,V,,,,,,,310421,,,N", "GPZDA,082710,30,02,2020,00,00",
    "GPZDA,082710,29,02,2021,00,00",
    "GPZDA,082710,16,,2002,00,00", "GPZDA,082710,16,13,2002,00,00", "GPZDA,082710,16,09,0,00,00",
    "GPZDA,082710,16,09,10000,00,00",
    // Coordinates.
    "GPGLL,9000.0001,N,12205.6,W,021417,A", "GPGLL,3760.0,N,12205.6,W,021417,A", "GPGLL,3725.5,N,18000.0001,W,021417,A",
    "GPGLL,3725.5,N,12260.0,W,021417,A", "GPGLL,3725.5,X,12205.6,W,021417,A", "GPGLL,3725.5,N,12205.6,N,021417,A",
    "GPGLL,3725.5,,12205.6,W,021417,A", "GPGLL,,N,12205.6,W,021417,V", "GPGLL,-725.5,N,12205.6,W,021417,A",
    "GPGLL,+725.5,N,12205.6,W,021417,A", "GPGLL,37-5.5,N,12205.6,W,021417,A", "GPGLL,37+5.5,N,12205.6,W,021417,A",
    "GPGLL,725.58,N,12205.6,W,021417,A", "GPGLL,3725.5,N,2205.61,W,021417,A", "GPGLL,37.25,N,12205.6,W,021417,A",
    "GPGLL,3725..5,N,12205.6,W,021417,A", "GPGLL,3725.5e1,N,12205.6,W,021417,A", "GPGLL,37,N,12205.6,W,021417,A",
    "GPGLL,3725.5NaN,N,12205.6,W,021417,A", "GPGLL,037255.8362,N,12205.6,W,021417,A",
    // Numbers.
    "GPRMC,,V,,,,,-1,,,,,N", "GPRMC,,V,,,,,1e5,,,,,N", "GPRMC,,V,,,,,,360.001,,,,N", "GPRMC,,V,,,,,,-1,,,,N",
    "GPRMC,,V,,,,,nan,,,,,N", "GPRMC,,V,,,,,99999999999999999999,,,,,N", "GPRMC,,V,,,,,.,,,,,N", "GPRMC,,V,,,,,-,,,,,N",
    "GPGGA,,,,,,0,100,99.99,,,,,,", "GPGGA,,,,,,0,00,-1,,,,,,", "GPGGA,,,,,,0,00,1,1000000000,M,,,,",
    "GPGGA,,,,,,0,1.5,1,,,,,,",
    "GPGSV,1,2,00", "GPGSV,0,0,00", "GPGSV,1,1,256", "GPGSV,1,1,01,05,91,083,46", "GPGSV,1,1,01,05,40,361,46",
    "GPGSV,1,1,01,05,40,083,100",
    "GPGSV,1,1,01,1000,40,083,46", "GPGSV,1,1,01,05,40,083,46,G", "GPGSA,A,3,-1,,,,,,,,,,,,1,1,1",
    "GPGSA,A,3,,,,,,,,,,,,,1,1,1,x",
    "GPGST,,1,-1,1,1,1,1,1", "GPGST,,1,99999999999999,1,1,1,1,1", "GPTXT,01,01,x,hello", "PMTK001,x,3", "PMTK001,1,4",
    "PUBX,04,073731.00,091202,113851.00,1196,100,1930035,-2660.664,43",
    "PUBX,03,256", "PUBX,03,01,23,-,361,,45,010", "PUBX,03,01,23,-,,91,45,010", "PUBX,03,01,23,-,,,100,010",
    "PUBX,03,01,x,-,,,45,010",
    // Datums.
    "GPDTM,W84", "GPDTM,999,,0.08,N,0.07,E,0", "GPDTM,999,,0.08,N,0.07,E,0,W84,x", "GPDTM,999,,0.08,X,0.07,E,0,W84",
    "GPDTM,999,,0.08,,0.07,E,0,W84", "GPDTM,999,,61,N,0.07,E,0,W84", "GPDTM,999,,0.08,N,nan,E,0,W84",
    // Sentences of Trimble and Qualcomm.
    "PTNL,GGK", "PTNL,GGK,172814.00,071396,3723.46,N,12202.26,W,3,06,1.7,EHT-6.777",
    "PTNL,GGK,172814.00,071396,,,,,3,06,1.7,EHT-6.777,M",
    "PTNL,GGK,172814.00,071396,3723.46,N,12202.26,W,,06,1.7,EHT1,M",
    "PTNL,GGK,172814.00,071396,3723.46,N,12202.26,W,3,06,1.7,EHTx,M",
    "PTNL,GGK,172814.00,071396,3723.46,N,12202.26,W,3,06,1.7,EHT1,F", "PTNL,GGK,252814.00,071396,,,,,0,06,1.7,,M",
    "PQXFI,143653.0,1,2,3", "PQXFI,143653.0,,,,,,-3.54,2.50,0.09", "PQXFI,993653.0,,,,,,3.54,2.50,0.09",
    "PQXFI,143653.0,,,,,,3.54,2.50,0.09,,",
  ])
  func changesNothingButACounter(content: String) {
    let decoding = Decoding(sentence: content)
    #expect(decoding.messages.isEmpty)
    #expect(decoding.counters.validNMEA == 1 && decoding.counters.malformed == 1)
    #expect(
      decoding.counters.unknown == 0 && decoding.counters.checksumErrors == 0 && decoding.counters.noiseBytes == 0)
  }

  /// One valid sentence of every type.
  static let good: [String] = [
    "GNRMC,021417.00,A,3725.58362,N,12205.61915,W,0.028,65.13,070220,13.06,E,F,V",
    "GNVTG,65.13,T,52.07,M,0.028,N,0.053,K,D",
    "GNGGA,021417.00,3725.58362,N,12205.61915,W,5,12,0.76,4.4,M,-30.0,M,0.0,2000",
    "GNGSA,A,3,17,02,06,28,12,13,15,24,19,,,,1.48,0.76,1.27,1", "GLGSV,3,3,09,80,39,117,43,,,,53,1",
    "GNGLL,3725.58362,N,12205.61915,W,021417.00,A,F",
    "GNGNS,103600.01,5114.51176,N,00012.29380,W,AADN,07,1.18,111.5,45.6,,,V",
    "GPZDA,082710.00,16,09,2002,00,00", "GPGST,082356.00,1.8,2.5,1.75,34.2,1.7,1.3,2.2",
    "GPGBS,235458.00,1.4,1.3,3.1,03,,-21.4,3.8,1,0",
    "GPHDT,274.07,T", "GNTHS,77.52,E", "GNTXT,01,01,02,ANTSTATUS=OK",
    "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
    "PUBX,03,02,23,-,,,45,010,33,U,180,-05,,000", "PUBX,04,073731.00,091202,113851.00,1196,15D,1930035,-2660.664,43",
    "GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84",
    // Uses 3.55, not 3.54: if the period of 3.54 became a `*`, `*54` would be the correct checksum of the text before
    // it.
    "PQXFI,143653.0,3649.353448,N,00442.549153,W,194.6,3.55,2.50,0.09",
    "PTNL,GGK,172814.00,071396,3723.46587704,N,12202.26957864,W,3,06,1.7,EHT-6.777,M",
    "PMTK001,604,3", "PMTK705,AXN_2.31_3339,5632,PA6H,1.0", "PGRME,15.0,M,45.0,M,25.0,M",
  ]

  /// A sentence that is cut anywhere before its checksum is complete is not a message.
  @Test(arguments: good) func truncated(content: String) {
    let line = NMEASentence.encode(content)
    for end in 0..<line.count - 2 {
      let decoding = Decoding(line[..<end] + Array("\r\n".utf8))
      #expect(decoding.messages.isEmpty && decoding.counters.validNMEA == 0, "cut after \(end) bytes")
      #expect(decoding.counters.checksumErrors == (end > 0 ? 1 : 0), "cut after \(end) bytes")
      #expect(decoding.counters.noiseBytes == UInt64(end), "cut after \(end) bytes")
    }
  }

  /// A sentence with any flipped bit is not a message.
  @Test(arguments: good) func corrupt(content: String) {
    let line = NMEASentence.encode(content)
    for index in 0..<line.count - 2 {
      for bit in 0..<8 {
        var bytes = line
        bytes[index] ^= 1 << bit
        // The same digit of the checksum in lower case is not damage.
        if index > line.count - 5, bytes[index] == line[index] ^ 0x20, line[index] >= 0x41 { continue }
        // A new beginning of a sentence; the rest may have a correct checksum by chance.
        if bytes[index] == UInt8(ascii: "$") || bytes[index] == UInt8(ascii: "!") { continue }
        let decoding = Decoding(bytes)
        #expect(decoding.messages.isEmpty && decoding.counters.validNMEA == 0, "bit \(bit) of byte \(index)")
        #expect(decoding.counters.malformed == 0 && decoding.counters.unknown == 0, "bit \(bit) of byte \(index)")
      }
    }
  }

  /// Cut anywhere, with a correct checksum: never a trap, and the counters agree with the messages.
  @Test(arguments: good) func truncatedWithARightChecksum(content: String) {
    // "PUBX,03,0" is an empty list.
    for end in 0..<content.utf8.count where content.prefix(end) != "PUBX,03,0" {
      let decoding = Decoding(sentence: String(content.prefix(end)))
      #expect(decoding.counters.validNMEA == 1 && decoding.counters.noiseBytes == 0, "cut after \(end) characters")
      #expect(decoding.counters.malformed == (decoding.messages.isEmpty ? 1 : 0), "cut after \(end) characters")
    }
  }

  @Test(arguments: [
    "$GPHDT,1.0,T\r\n", "$GPHDT,1.0,T*\r\n", "$GPHDT,1.0,T*2\r\n", "$GPHDT,1.0,T*XX\r\n", "$GPHDT,1.0,T*00\r\n",
  ])
  func withoutAChecksum(line: String) {
    let decoding = Decoding(Array(line.utf8))
    #expect(decoding.messages.isEmpty && decoding.counters.validFrames == 0 && decoding.counters.checksumErrors == 1)
  }

  @Test func checksumInLowerCase() {
    let line = String(decoding: NMEASentence.encode("PGRME,15.0,M,45.0,M,25.0,M"), as: UTF8.self)
    let decoding = Decoding(Array(line.prefix { $0 != "*" }.utf8) + Array(line.drop { $0 != "*" }.lowercased().utf8))
    #expect(decoding.messages.count == 1)
  }
}
