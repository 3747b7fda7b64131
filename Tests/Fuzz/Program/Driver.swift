// The package manager's `main` replaces libFuzzer's own, so its driver is called by name (llvm-project,
// compiler-rt/lib/fuzzer/FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target under test; set once, before the driver runs, on the only thread.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in preconditionFailure("no target is set") }

/// Runs libFuzzer on `body`. The program's first argument names the target, the rest are libFuzzer's own.
func fuzz(_ body: @escaping ([UInt8]) -> Void) {
  unsafe check = body
  var argumentCount = CommandLine.argc - 1
  var arguments = unsafe CommandLine.unsafeArgv + 1
  _ = unsafe runDriver(&argumentCount, &arguments, test)
}

/// libFuzzer's own `main`, and therefore the linker, looks for the target under this name.
@_cdecl("LLVMFuzzerTestOneInput") private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
