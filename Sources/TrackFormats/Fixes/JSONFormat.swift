/// A fix as one JSON object a line, with the contract's keys; what is not known is absent.
package enum JSONFormat {
  package static func line(_ located: LocatedFix) -> [UInt8] {
    var writer = JSONLineWriter()
    return Array(writer.line(located))
  }

  /// The object with only some of the keys.
  static func object(_ located: LocatedFix, keys: [FixKey]) -> JSONObject {
    var object = JSONObject()
    for key in keys { object.add(key.rawValue, key.value(of: located)) }
    return object
  }
}
