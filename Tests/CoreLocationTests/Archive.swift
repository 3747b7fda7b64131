import Foundation
import Testing

/// The value after a round trip through a secure archive.
func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
  let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
}

/// An archive of another class, which contains no such value.
func foreignArchive() throws -> NSKeyedUnarchiver {
  let archiver = NSKeyedArchiver(requiringSecureCoding: true)
  archiver.encode("none" as NSString, forKey: "something")
  archiver.finishEncoding()
  return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
}
