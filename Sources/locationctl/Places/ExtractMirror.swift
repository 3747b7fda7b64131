import LinuxDevices
import LinuxIO
import PlacesStore
import Positioning

/// Fetches extracts of OpenStreetMap from a web server, by the fetch helper.
final class ExtractMirror {
  /// The environment variable with the address of the server. There is no default.
  static let variable = "LOCATIOND_PLACES_MIRROR"

  /// A file on the server.
  struct RemoteFile: Hashable {
    let address: WebAddress
    /// Bytes.
    let size: Int
    /// When it was changed, seconds since 1970; `nil`: not known.
    let time: Int64?
  }

  private let loop: EventLoop
  private let link: FetchLink

  init() throws(FailureMessage) {
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw FailureMessage("Cannot \(error.operation) (\(ErrorDescription.of(error.errno))).", .cannotWrite)
    }
    link = FetchLink(loop: loop)
  }

  /// The address of an extract: "europe/liechtenstein" is `europe/liechtenstein-latest.osm.pbf` below the server's address; a name that
  /// ends in `.pbf` is used as it is. `nil` if the name cannot be a path.
  static func address(of name: String, at mirror: WebAddress) -> WebAddress? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 6, parts.allSatisfy({ PlacesFolders.isName(String($0)) }) else { return nil }
    return mirror.appending(name.hasSuffix(".pbf") ? name : name + "-latest.osm.pbf")
  }

  /// The size and the time of a file.
  func file(at address: WebAddress) throws(FailureMessage) -> RemoteFile {
    let answer = try ask(.fileSize, address)
    guard answer.isSuccess else { throw Self.failure(address, .refused(status: answer.status)) }
    guard answer.body.count == 16 else { throw Self.failure(address, .nonsense) }
    let (size, time) = (Self.number(answer.body[..<8]), Self.number(answer.body[8...]))
    guard size > 0, size <= 1 << 40 else { throw Self.failure(address, .nonsense) }
    return RemoteFile(address: address, size: Int(size), time: time >= 0 ? time : nil)
  }

  /// Fetches a file to a file without a name in `folder`, in parts; a file that changes meanwhile is an error.
  ///
  /// - Parameter progress: gets the bytes that have arrived.
  func fetch(
    _ file: RemoteFile, in folder: String, progress: (Int) -> Void
  ) throws(FailureMessage) -> NamelessFile {
    let result: NamelessFile
    do throws(SystemError) { result = try NamelessFile(in: folder) } catch { throw Self.failure(folder, error) }
    var done = 0
    while done < file.size {
      let last = min(done + FetchRequest.Purpose.longestPart, file.size) - 1
      let part = try self.part("\(done)-\(last)", of: file, count: last + 1 - done)
      do throws(SystemError) { try result.append(part) } catch { throw Self.failure(folder, error) }
      done = last + 1
      progress(done)
    }
    return result
  }

  private static func failure(_ folder: String, _ error: SystemError) -> FailureMessage {
    FailureMessage(
      "\(TerminalText.sanitized(folder)): \(error.description).", error.isPermission ? .denied : .cannotWrite)
  }

  private func part(_ range: String, of file: RemoteFile, count: Int) throws(FailureMessage) -> ArraySlice<UInt8> {
    let answer = try ask(.filePart, file.address, body: Array(range.utf8))
    guard answer.isSuccess else { throw Self.failure(file.address, .refused(status: answer.status)) }
    guard answer.status == 206, answer.body.count == count + 8 else {
      throw FailureMessage(
        "\(Self.host(file.address)) does not send parts of files, or has changed the file: try again later.",
        .locationUnknown)
    }
    let time = Self.number(answer.body[..<8])
    guard (time >= 0 ? time : nil) == file.time else {
      throw FailureMessage("\(Self.host(file.address)) has changed the file meanwhile: try again.", .locationUnknown)
    }
    return answer.body[8...]
  }

  private func ask(
    _ purpose: FetchRequest.Purpose, _ address: WebAddress, body: [UInt8] = []
  ) throws(FailureMessage) -> WebResponse {
    guard let request = FetchRequest(purpose, address, body: body) else { throw Self.failure(address, .badAddress) }
    var reply = FetchResponse.failed(.fetcherFailed)
    link.ask(request) { [loop] in
      reply = $0
      loop.stop()
    }
    do throws(SystemError) {
      try loop.run()
    } catch {
      throw FailureMessage("Cannot \(error.operation) (\(ErrorDescription.of(error.errno))).", .locationUnknown)
    }
    switch reply {
    case .answered(let answer): return answer
    case .failed(let problem): throw Self.failure(address, problem)
    }
  }

  private static func failure(_ address: WebAddress, _ problem: FetchProblem) -> FailureMessage {
    if problem == .refused(status: 404) {
      return FailureMessage(
        "\(host(address)) has no \(TerminalText.sanitized(address.text)): check the name.", .badInput)
    }
    return FailureMessage("\(host(address)): \(problem.sentence).", .locationUnknown)
  }

  private static func host(_ address: WebAddress) -> String { TerminalText.sanitized(address.host) }

  /// A little-endian number of eight bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(bitPattern: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }
}
