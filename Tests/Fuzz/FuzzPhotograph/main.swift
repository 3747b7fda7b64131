import Geodesy
import Photographs

// libFuzzer's own `main` gives way to the package manager's, so its driver is called by name (llvm-project,
// compiler-rt/lib/fuzzer/FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What libFuzzer's own `main` would call; where the linker takes that one, it is called by it.
@_cdecl("LLVMFuzzerTestOneInput") func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

var argumentCount = CommandLine.argc
var arguments = unsafe CommandLine.unsafeArgv
_ = unsafe runDriver(&argumentCount, &arguments, test)

private let position = PhotographPosition(
  time: GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000),
  coordinate: Coordinate(latitude: Angle(degrees: -33.85), longitude: Angle(degrees: 151.2)),
  heightAboveMeanSeaLevel: Meters(12.3))

/// Any bytes as a photograph: refused, or tagged into one that reads again, has a position and tells the same time.
private func check(_ bytes: [UInt8]) {
  guard let photograph = try? Photograph(bytes), let tagged = try? photograph.tagged(with: position) else { return }
  guard let again = try? Photograph(tagged) else { preconditionFailure("wrote what cannot be read") }
  precondition(again.hasPosition, "no position")
  precondition(again.time == photograph.time, "another time")
}
