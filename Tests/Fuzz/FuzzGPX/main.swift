import Geodesy
import TrackFormats

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

/// Any bytes as GPX: refused, or a track that can be asked where it was, and only there where it was.
private func check(_ bytes: [UInt8]) {
  var result = GPXReader.Result()
  do throws(GPXError) {
    try GPXReader.read(bytes, into: &result)
  } catch {
    return
  }
  guard let range = result.timeline.range else { return precondition(result.timeline.count == 0, "no times") }
  precondition(range.lowerBound <= range.upperBound, "backwards")
  let before = range.lowerBound + .seconds(-1)
  precondition(
    before == range.lowerBound || result.timeline.sample(at: before, within: .zero) == nil, "before it began")
  for time in [range.lowerBound, range.upperBound] {
    guard let sample = result.timeline.sample(at: time, within: .zero) else {
      preconditionFailure("nowhere at its end")
    }
    precondition((-90...90).contains(sample.coordinate.latitude.degrees), "no latitude")
  }
  let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
  _ = result.timeline.sample(at: middle, within: .seconds(3600))
}
