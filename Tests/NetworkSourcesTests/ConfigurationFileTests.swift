import NetworkSources
import Testing

/// The file of a caster.
@Suite struct ConfigurationFileTests {
  private func problem(_ text: String) -> CasterConfiguration.Problem? {
    do throws(CasterConfiguration.Problem) {
      _ = try CasterConfiguration(parsing: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func whole() throws {
    let text = "# Base\r\nurl=ntrips://c:443/M\r\n\nuser=anna\npassword=a=b #c\ngga=15\nversion=1\n"
    let configuration = try CasterConfiguration(parsing: Array(text.utf8))
    #expect(configuration.address.text == "ntrips://c:443/M")
    #expect(configuration.credentials == CasterCredentials(user: "anna", password: "a=b #c"))
    #expect(configuration.positions == .every(.seconds(15)) && configuration.version == .one)
    let least = try CasterConfiguration(parsing: Array("url=ntrip://c/M".utf8))
    #expect(least == CasterConfiguration(address: try CasterAddress(parsing: "ntrip://c/M")))
    #expect(least.positions == .automatic && least.version == .automatic && least.credentials == nil)
  }

  private static let refusals: [(String, CasterConfiguration.Problem)] = [
    ("", .missingAddress), ("url=", .missingAddress), ("url", .noKey(line: 1)),
    ("url=ntrip://c/M\nusr=a", .unknownKey(line: 2)), ("url=ntrip://c/M\nurl=x", .repeatedKey("url", line: 2)),
    ("gga=0", .badValue("gga", line: 1)), ("gga=3601", .badValue("gga", line: 1)), ("gga=", .badValue("gga", line: 1)),
    ("version=3", .badValue("version", line: 1)), ("url=ntrip://c/M\npassword=x", .missingUser),
    ("url=ntrip://c/M\nuser=a:b", .badCredentials), ("url=ntrip://c/M\nuser=a\npassword=\u{1}", .badCredentials),
    ("url=tcp://c:1", .address(.notACaster("tcp://c:1"))), ("url=ntrip://a:b@c/M", .address(.credentials)),
  ]

  @Test(arguments: ConfigurationFileTests.refusals)
  func refused(text: String, reason: CasterConfiguration.Problem) {
    #expect(problem(text) == reason)
    #expect(reason.sentence.hasSuffix("."))
  }

  @Test func noAccountInText() throws {
    let text = "url=ntrip://c/M\nuser=anna\npassword=geheim\n"
    let configuration = try CasterConfiguration(parsing: Array(text.utf8))
    var dumped = ""
    dump(configuration, to: &dumped)
    for shown in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!shown.contains("geheim") && !shown.contains("anna"))
    }
    #expect(problem(String(repeating: "#", count: 9000)) == .tooLong)
    #expect((try? CasterConfiguration(parsing: [0xFF, 0xFE])) == nil)
  }
}
