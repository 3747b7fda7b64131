import LinuxIO
import PlacesCore
import PlacesImport
import PlacesStore

/// The process that reads the extract, which is hostile: it has no network, and no files but those in its folder, as far as the kernel
/// permits (`Confinement`).
///
/// Its standard input is the extract; its working directory is empty. It prints a line `unconfined GAPS` if the kernel gives less
/// (`Confinement.Gaps`), a line `progress PERCENT` after each percent, and at the end `done ADDRESSES STREETS INCOMPLETE COUNTRY DATE`,
/// or `failed KIND TEXT`.
enum ImportWorker {
  /// The file that it makes in its working directory.
  static let result = "result"

  private static let mostMemory = 1 << 30

  /// - Parameter arguments: the texts of the header: `KEY=VALUE`. `cacheSize=BYTES` changes the size of SQLite's cache: with a small
  ///   one, a small extract needs the temporary files that a large one needs.
  static func run(_ arguments: [String]) -> ExitStatus {
    Confinement.dieWithParent()
    Confinement.beIdle()
    var header = PlacesHeader()
    var cacheSize = PlacesImporter.cacheSize
    for argument in arguments {
      if argument.hasPrefix("cacheSize=") {
        guard let size = Int(argument.dropFirst(10)), size >= 1024 else { return .usage }
        cacheSize = size
        continue
      }
      guard let equals = argument.firstIndex(of: "="), let key = PlacesHeader.Key(rawValue: String(argument[..<equals]))
      else {
        return .usage
      }
      header.values[key] = String(argument[argument.index(after: equals)...])
    }
    do throws(SystemError) {
      let input = try PassedInput.take()
      let locations = try NamelessFile()
      let features = try NamelessFile()
      let entries = try NamelessFile()
      let gaps = try Confinement.enter(
        user: Confinement.nobody, largestFile: largestFile(Int(header[.sourceSize]) ?? 0), mostMemory: mostMemory)
      // Before it reads the first byte of the extract.
      if !gaps.isEmpty { report("unconfined \(gaps.rawValue)") }
      let scratch = PlacesImporter.Scratch(
        locations: locations.descriptor, features: features.descriptor, entries: entries.descriptor)
      return read(input, scratch, header, cacheSize)
    } catch {
      report("failed system \(error.description)")
      return .cannotWrite
    }
  }

  /// The largest file that it may write, bytes: nodes take 16 bytes each, and at least two in the extract; one that claims more is a
  /// bomb.
  static func largestFile(_ size: Int) -> Int { size * ImportProgram.roomFactor * 4 + (256 << 20) }

  /// Checks a file in the working directory, which this process cannot change: the file may have been made to take over a reader. Prints
  /// the line `done`, or `failed`.
  static func check() -> ExitStatus {
    Confinement.dieWithParent()
    Confinement.beIdle()
    do throws(SystemError) {
      _ = try Confinement.enter(user: Confinement.nobody, largestFile: 0, mostMemory: mostMemory, writes: false)
    } catch {
      report("failed system \(error.description)")
      return .cannotWrite
    }
    do throws(PlaceError) {
      _ = try PlacesFile(path: result, checks: true)
    } catch {
      report("failed check \(error)")
      return .badInput
    }
    report("done 0 0 0 - -")
    return .done
  }

  private static func read(
    _ input: Int32, _ scratch: PlacesImporter.Scratch, _ header: PlacesHeader, _ cacheSize: Int
  ) -> ExitStatus {
    var percent = -1
    do throws(ImportError) {
      let summary = try PlacesImporter.run(
        file: input, scratch: scratch, path: result, header: header, cacheSize: cacheSize
      ) { share in
        let next = Int(share * 100)
        if next > percent {
          percent = next
          return report("progress \(next)")
        }
        return true
      }
      let header = summary.header
      report(
        "done \(summary.addresses) \(summary.streets) \(summary.incompleteAreas) \(header[.country].isEmpty ? "-" : header[.country])"
          + " \(header[.dataDate].isEmpty ? "-" : header[.dataDate])")
      return .done
    } catch {
      switch error {
      case .malformed(let text): report("failed malformed \(text)")
      case .unsorted(let text): report("failed unsorted \(text)")
      case .zstd: report("failed zstd")
      case .system(let text): report("failed system \(text)")
      case .noMemory: report("failed memory")
      case .cancelled: report("failed cancelled")
      case .database(let text): report("failed database \(text)")
      }
      return .badInput
    }
  }

  /// Returns `false` once nobody reads.
  @discardableResult
  private static func report(_ line: String) -> Bool {
    let text = String(line.map { $0.isNewline ? " " : $0 }.prefix(1000))
    return StandardOutput.write(Array("\(text)\n".utf8)) == .written
  }
}
