// libFuzzer's own `main` gives way to the package manager's, so its driver is called by name (llvm-project,
// compiler-rt/lib/fuzzer/FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What is fuzzed; set once, before the driver runs, on the one thread that there is.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in preconditionFailure("nothing to fuzz") }

/// Has libFuzzer call `body` with bytes, as the program's arguments say, until it has had enough.
package func fuzz(_ body: @escaping ([UInt8]) -> Void) {
  unsafe check = body
  var argumentCount = CommandLine.argc
  var arguments = unsafe CommandLine.unsafeArgv
  _ = unsafe runDriver(&argumentCount, &arguments, test)
}

/// The name by which libFuzzer's own `main` knows it, where the linker looks for that.
@_cdecl("LLVMFuzzerTestOneInput") private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
