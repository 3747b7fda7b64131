import Foundation

// With Foundation, decoding a missing object is an error of the archive, which may end the program; these functions
// check first.
extension NSCoder {
  /// An object of a class; `nil` if the archive has none under this key.
  func optional<Value: NSObject & NSCoding>(_ type: Value.Type, forKey key: String) -> Value? {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  /// A text; `nil` if the archive has none under this key.
  func optionalString(forKey key: String) -> String? { optional(NSString.self, forKey: key).map { String($0) } }

  /// A UUID, which is stored as text; `nil` if the archive has none under this key.
  func optionalUUID(forKey key: String) -> UUID? { optionalString(forKey: key).flatMap { UUID(uuidString: $0) } }

  /// A time, which is stored as seconds since 2001; `nil` if the archive has none under this key.
  func optionalTime(forKey key: String) -> Date? {
    containsValue(forKey: key) ? Date(timeIntervalSinceReferenceDate: decodeDouble(forKey: key)) : nil
  }

  func encodeUUID(_ uuid: UUID, forKey key: String) { encode(uuid.uuidString as NSString, forKey: key) }

  func encodeTime(_ time: Date, forKey key: String) { encode(time.timeIntervalSinceReferenceDate, forKey: key) }
}

/// The numeric values of a type and their archive keys.
typealias ArchivedNumbers<Value> = [(key: String, path: any WritableKeyPath<Value, Double> & Sendable)]

extension NSCoder {
  /// Reads all numbers into `value`; `false` if the archive lacks one.
  func decode<Value>(_ numbers: ArchivedNumbers<Value>, into value: inout Value) -> Bool {
    for (key, path) in numbers {
      guard containsValue(forKey: key) else { return false }
      value[keyPath: path] = decodeDouble(forKey: key)
    }
    return true
  }

  func encode<Value>(_ numbers: ArchivedNumbers<Value>, of value: Value) {
    for (key, path) in numbers { encode(value[keyPath: path], forKey: key) }
  }
}
