internal import COsmium
import Glibc
import PlacesCore

/// An object of OpenStreetMap, with its geometry.
struct ExtractObject {
  enum Kind: UInt8 {
    case node = 0
    case way = 1
    /// The rings of a complete relation.
    case area = 2
    /// A relation's tags and members, without geometry.
    case relation = 3
  }

  struct Member {
    var id: Int64
    var kind: UInt8
    var role: String
  }

  var id: Int64
  var kind: Kind
  var isClosed: Bool
  var tags: [(key: String, value: String)]
  /// The points of a way or of all rings.
  var points: [LocalPoint]
  /// A way: the node of each point.
  var nodes: [Int64]
  /// An area: the number of points of each ring.
  var rings: [Int]
  /// An area: whether each ring is a hole of the outer ring before it.
  var areHoles: [Bool]
  var members: [Member]

  subscript(key: String) -> String? {
    guard let value = tags.first(where: { $0.key == key })?.value, !value.isEmpty else { return nil }
    return value
  }
}

/// Why an extract cannot be imported.
package enum ImportError: Error, Sendable {
  /// The file is damaged or is no PBF file; libosmium's text.
  case malformed(String)
  case unsorted(String)
  case zstd
  case system(String)
  case noMemory
  case cancelled
  case database(String)
}

/// What the file says about itself.
struct ExtractSummary {
  /// Seconds since 1970; `nil` if unknown.
  var timestamp: Int64?
  var nodes: Int
  var ways: Int
  var relations: Int
  var incompleteAreas: Int
}

/// Reads an extract with libosmium.
enum ExtractReader {
  /// What the callbacks of C refer to.
  private final class Context {
    let receive: (ExtractObject) throws(ImportError) -> Void
    let progress: (Double) -> Bool
    var error: ImportError?

    init(
      receive: @escaping (ExtractObject) throws(ImportError) -> Void, progress: @escaping (Double) -> Bool
    ) {
      self.receive = receive
      self.progress = progress
    }
  }

  /// The keys of wanted objects.
  struct Keys {
    var nodes: [String]
    var ways: [String]
    var areas: [String]
  }

  /// - Parameters:
  ///   - file: the extract's descriptor; standard input is replaced.
  ///   - locations: the descriptor of an empty file without a name.
  ///   - progress: gets the share that is done, and returns `false` to stop.
  static func read(
    file: Int32, locations: Int32, keys: Keys, receive: @escaping (ExtractObject) throws(ImportError) -> Void,
    progress: @escaping (Double) -> Bool
  ) throws(ImportError) -> ExtractSummary {
    let context = Context(receive: receive, progress: progress)
    let lists = unsafe [keys.nodes, keys.ways, keys.areas].map { list in
      unsafe list.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    }
    defer { unsafe lists.forEach { unsafe $0.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } } }
    var result = unsafe lists[0].withUnsafeBufferPointer { nodes in
      unsafe lists[1].withUnsafeBufferPointer { ways in
        unsafe lists[2].withUnsafeBufferPointer { areas in
          var keys = unsafe cosmium_keys(nodes: nodes.baseAddress, ways: ways.baseAddress, areas: areas.baseAddress)
          return unsafe cosmium_read(
            file, locations, &keys, receiveObject, receiveProgress, Unmanaged.passUnretained(context).toOpaque())
        }
      }
    }
    if let error = context.error { throw error }
    let message = unsafe withUnsafeBytes(of: &result.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    switch UInt32(result.outcome) {
    case COSMIUM_DONE.rawValue: break
    case COSMIUM_UNSORTED.rawValue: throw .unsorted(message)
    case COSMIUM_ZSTD.rawValue: throw .zstd
    case COSMIUM_SYSTEM.rawValue: throw .system(message)
    case COSMIUM_NO_MEMORY.rawValue: throw .noMemory
    case COSMIUM_CANCELLED.rawValue: throw .cancelled
    default: throw .malformed(message)
    }
    return ExtractSummary(
      timestamp: result.timestamp > 0 ? result.timestamp : nil, nodes: Int(result.node_count),
      ways: Int(result.way_count),
      relations: Int(result.relation_count), incompleteAreas: Int(result.incomplete_count))
  }

  private static let receiveObject: cosmium_receive = { pointer, object in
    guard let pointer = unsafe pointer, let object = unsafe object else { return 1 }
    let context = unsafe Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue()
    guard let value = unsafe copy(object.pointee) else { return 0 }
    do throws(ImportError) {
      try context.receive(value)
      return 0
    } catch {
      context.error = error
      return 1
    }
  }

  private static let receiveProgress: cosmium_progress = { pointer, done, total in
    guard let pointer = unsafe pointer else { return 1 }
    let context = unsafe Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue()
    return context.progress(total > 0 ? Double(done) / Double(total) : 0) ? 0 : 1
  }

  /// The longest text of a tag: OpenStreetMap permits 255 characters.
  private static let longestText = 1024

  private static func copy(_ object: cosmium_object) -> ExtractObject? {
    guard let kind = unsafe ExtractObject.Kind(rawValue: object.kind) else { return nil }
    let tags = unsafe UnsafeBufferPointer(start: object.tags, count: 2 * Int(object.tag_count))
    let coordinates = unsafe UnsafeBufferPointer(start: object.coordinates, count: 2 * Int(object.point_count))
    let isWay = kind == .way
    let nodes = unsafe UnsafeBufferPointer(start: object.nodes, count: isWay ? Int(object.point_count) : 0)
    let rings = unsafe UnsafeBufferPointer(start: object.rings, count: Int(object.ring_count))
    let members = Int(unsafe object.member_count)
    return unsafe ExtractObject(
      id: object.id, kind: kind, isClosed: object.is_closed != 0,
      tags: (0..<Int(object.tag_count)).map { unsafe (text(tags[2 * $0]), text(tags[2 * $0 + 1])) },
      points: (0..<Int(object.point_count)).map { index in
        unsafe LocalPoint(longitudeE7: coordinates[2 * index], latitudeE7: coordinates[2 * index + 1])
      },
      nodes: Array(nodes), rings: rings.map { Int($0.magnitude) }, areHoles: rings.map { $0 < 0 },
      members: (0..<members).map { index in
        unsafe ExtractObject.Member(
          id: object.members[index], kind: object.member_kinds[index], role: text(object.member_roles[index]))
      })
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    let length = unsafe strnlen(pointer, longestText)
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: pointer, count: length), as: UTF8.self)
  }
}
