import Foundation

// Asking Foundation here for an object that an archive does not have is an error of the archive, which may end the program.
extension NSCoder {
  /// An object of a class; `nil` where the archive has none under this key.
  func optional<Value: NSObject & NSCoding>(_ type: Value.Type, forKey key: String) -> Value? {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  /// A text; `nil` where the archive has none under this key.
  func optionalString(forKey key: String) -> String? { optional(NSString.self, forKey: key).map { String($0) } }
}
