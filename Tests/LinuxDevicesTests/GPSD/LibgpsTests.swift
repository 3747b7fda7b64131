#if GPSD
  import Foundation
  import TestSupport
  import Testing

  /// The table of libgps' structures, with which a program needs no header of libgps.
  @Suite struct LibgpsTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The row of the installed header, as `.ci/gps-layout` computes it, is one of the table.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/include/gps.h"), "libgps-dev is not installed"))
    func theTableHasTheInstalledHeader() throws {
      let process = Process()
      let output = Pipe()
      process.executableURL = Self.package.appendingPathComponent(".ci/gps-layout")
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let row = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && row.hasPrefix("{\"libgps.so."), "\(row)")
      let table = try String(
        contentsOf: Self.package.appendingPathComponent("Sources/CGPSD/layouts.h"), encoding: .utf8)
      #expect(table.contains(row), "add this row to Sources/CGPSD/layouts.h: \(row)")
    }

    /// A library that is called libgps.so.28 and has other structures is not used: no line can be parsed, and the process goes on. The
    /// library is compiled here: it shifts what the structures of that version have after their first field.
    @Test func aLibraryWithOtherStructuresIsNotUsed() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("libgps-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let sources = Self.package.appendingPathComponent("Sources/CGPSD")
      let script = """
        set -eu
        cd '\(folder.path)'
        printf '%s\\n' '#include <string.h>' 'int gps_unpack(char *line, void *data) { (void)line; memset((char *)data + SHIFT, 1, 16); return 0; }' \
          'void gps_clear_fix(void *fix) { (void)fix; }' 'void gps_clear_dop(void *dop) { (void)dop; }' >other.c
        printf '%s\\n' '#include "CGPSD.h"' '#include <stdio.h>' \
          'int main(void) { puts(cgpsd_parser_new() ? "used" : "not used"); return 0; }' >program.c
        clang -DGPSD -I'\(sources.path)/include' program.c '\(sources.path)/CGPSD.c' -o program
        for shift in 8 24496; do
          for name in 28 30 32; do clang -shared -fPIC -DSHIFT=$shift -o libgps.so.$name other.c; done
          LD_LIBRARY_PATH=. ./program
        done
        """
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && text == "not used\nnot used\n", "\(text)")
    }
  }
#endif
