import Glibc

// One file for each benchmark; the first argument chooses. Each prints one JSON object a line.
let arguments = CommandLine.arguments
let status: Int32
switch arguments.dropFirst().first {
case "decode"? where arguments.count == 3: status = decodeBenchmark(path: arguments[2])
default:
  print("usage: Benchmarks decode FILE")
  status = 64
}
exit(status)
