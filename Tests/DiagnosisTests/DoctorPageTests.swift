import Diagnosis
import Foundation
import Testing

/// `Hardware/doctor.md` describes all existing codes.
@Suite struct DoctorPageTests {
  private let page: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    page = try String(contentsOf: root.appendingPathComponent("Hardware/doctor.md"), encoding: .utf8)
  }

  @Test func everyCodeHasItsRowInOrder() {
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let codes = rows.map { String($0.split(separator: "`")[1]) }
    #expect(codes == FindingCode.allCases.map(\.rawValue))
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 4 && cells.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }

  @Test func codesAreKebabCase() {
    for code in FindingCode.allCases.map(\.rawValue) {
      #expect(code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } && !code.hasSuffix("-"), "\(code)")
    }
  }
}
