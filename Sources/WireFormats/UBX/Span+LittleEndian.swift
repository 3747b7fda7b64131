/// Numbers as UBX writes them: little endian, at an offset of the payload whose length has been checked (UBX-21048598,
/// section 3.3.3; the names are its type names).
extension Span where Element == UInt8 {
  @inline(__always) func u1(_ offset: Int) -> UInt8 { self[offset] }
  @inline(__always) func i1(_ offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }
  @inline(__always) func u2(_ offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8 }
  @inline(__always) func i2(_ offset: Int) -> Int16 { Int16(bitPattern: u2(offset)) }
  @inline(__always) func u4(_ offset: Int) -> UInt32 { UInt32(u2(offset)) | UInt32(u2(offset &+ 2)) << 16 }
  @inline(__always) func i4(_ offset: Int) -> Int32 { Int32(bitPattern: u4(offset)) }
  @inline(__always) func r4(_ offset: Int) -> Float { Float(bitPattern: u4(offset)) }
}
