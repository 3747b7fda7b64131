import LinuxIO
import MapDrawing
import MapServing

/// The folder of the page's files: `LOCATIOND_MAP`, or where the package or `make install` has put them. An installed file is
/// compressed: `NAME.gz`.
struct PageFolder {
  private let path: String
  private static let largest = 8 << 20

  /// `nil` if the page is in none of the folders.
  static func find() -> PageFolder? {
    var folders = ["/usr/share/locationd/map", "/usr/local/share/locationd/map"]
    if let own = ProcessEnvironment.executable.flatMap({ path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
    {
      folders.insert("\(own)/../share/locationd/map", at: 0)
    }
    if let variable = ProcessEnvironment.value("LOCATIOND_MAP"), !variable.isEmpty { folders = [variable] }
    return folders.map { PageFolder(path: $0) }.first {
      $0.bytes(of: .page, compressed: true) != nil || $0.bytes(of: .page, compressed: false) != nil
    }
  }

  /// The file, or `304` if the browser has it already.
  func response(_ file: PageFile, to request: HTTPRequest) -> HTTPResponse {
    let acceptsGzip = request.encodings.contains {
      $0.utf8.split(separator: UInt8(ascii: ",")).contains { part in
        part.drop { $0 == UInt8(ascii: " ") }.starts(with: "gzip".utf8)
      }
    }
    let compressed = acceptsGzip ? bytes(of: file, compressed: true) : nil
    guard let bytes = compressed ?? bytes(of: file, compressed: false) else {
      return HTTPResponse(.notFound, sentence: "The file is not installed.")
    }
    let tag = "\"\(Self.checksum(bytes))\""
    var response = HTTPResponse(.ok, file.content, bytes, caches: true)
    if request.tags.contains(tag) { response = HTTPResponse(.notModified, caches: true) }
    // The page is asked for each time, and is sent only if it has changed.
    response.headers += [("Cache-Control", "no-cache"), ("ETag", tag), ("Vary", "Accept-Encoding")]
    if compressed != nil, response.status == .ok { response.headers.append(("Content-Encoding", "gzip")) }
    return response
  }

  /// The outline of the world; `nil` if the file is not installed or not valid.
  func outline() -> WorldOutline? {
    let file = try? MappedFile(path: "\(path)/vendor/world.json", maximumSize: WorldOutline.largestFile)
    return file?.withBytes { WorldOutline($0) }
  }

  private func bytes(of file: PageFile, compressed: Bool) -> [UInt8]? {
    try? InputFile.content(
      of: "\(path)/\(file.rawValue)\(compressed ? ".gz" : "")", maximumSize: Self.largest)
  }

  /// FNV-1a, 64 bits: two versions of a file differ in it; it protects nothing.
  private static func checksum(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
