import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import Testing
import locationctl

@Suite struct GrantTableTests {
  private let clock = GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000)
  private let now = Instant(nanoseconds: 100_000_000_000)

  private var list: GrantList {
    var record = GrantRecord(.always, isReduced: true)
    record.isProvisional = true
    record.usedAt = clock + .seconds(-300)
    record.decidedAt = clock + .seconds(-600)
    record.purpose = "weather\u{1B}[2J"
    record.name = "root"
    var list = GrantList(isOn: true)
    list.grants = [
      Grant(ClientIdentity(userID: 4_200_001, realm: .flatpak("org.gnome.Maps")), record),
      Grant(ClientIdentity(userID: 4_200_001), GrantRecord(.restricted)),
    ]
    list.pending = [
      AuthorizationPrompt(
        number: PromptNumber(1), identity: ClientIdentity(userID: 4_200_003),
        kind: .first(requestsAlways: false, offersAlways: true), purpose: "a walk", name: "script", presence: .inUse,
        isReduced: false, since: now - .seconds(130))
    ]
    return list
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func theTableSaysWhoHasWhatAndWhoWaits() {
    let table = text(GrantTable.text(list, at: now, clock: clock, .pipe))
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "● Location services are on")
    #expect(lines[2].hasPrefix("WHO ") && lines[2].contains("ACCESS") && lines[2].contains("CLAIMED NAME"))
    #expect(lines[3].contains("4200001/flatpak:org.gnome.Maps  always, approximate, provisional  5 min ago"))
    // The client's own name for itself is marked as such, and no control character reaches the terminal.
    #expect(lines[3].contains("“root”") && !table.contains("\u{1B}"))
    #expect(lines[4].hasPrefix("4200001 ") && lines[4].contains("no (restricted by root)"))
    #expect(lines[6] == "Waiting for an answer:")
    #expect(lines[8].hasPrefix("4200003  while in use  2 min ago  “script”") && lines[8].hasSuffix("a walk"))
  }

  @Test func anEmptyListSaysSo() {
    let table = text(GrantTable.text(GrantList(isOn: false), at: now, clock: clock, .pipe))
    #expect(table == "○ Location services are off\n\nNo access has been granted or refused yet.\n")
  }

  @Test func aScriptGetsALineEach() throws {
    let lines = text(GrantTable.jsonLines(list, at: now)).split(separator: "\n").map(String.init)
    #expect(lines[0] == #"{"schema":1,"services":true}"#)
    #expect(
      lines[1]
        == #"{"schema":1,"who":"4200001/flatpak:org.gnome.Maps","user":"4200001","uid":4200001,"realm":"flatpak:org.gnome.Maps","#
        + #""level":"always","reduced":true,"provisional":true,"usedAt":"2026-03-01T12:29:56.789Z","#
        + #""decidedAt":"2026-03-01T12:24:56.789Z","purpose":"weather\u001b[2J","selfNamed":"root"}"#)
    #expect(
      lines[2]
        == #"{"schema":1,"who":"4200001","user":"4200001","uid":4200001,"level":"restricted","reduced":false,"provisional":false}"#
    )
    #expect(
      lines[3]
        == #"{"schema":1,"who":"4200003","user":"4200003","uid":4200003,"asks":"whenInUse","reduced":false,"askedAgo":130.000,"#
        + #""purpose":"a walk","selfNamed":"script"}"#)
    #expect(lines.count == 4)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }
}
