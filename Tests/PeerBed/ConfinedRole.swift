import Glibc
import LinuxIO

/// A process that confines itself to a folder, and prints what it can do then: a line `NAME ERRNO` for each call.
struct ConfinedRole {
  let folder: String
  /// A file of its user outside the folder.
  let file: String

  /// - Parameter user: whom root becomes first, so that the folder is not its root directory.
  func play(asUser user: UInt32) {
    Kernel.check(unsafe chdir(folder), "chdir")
    if geteuid() == 0 { Kernel.check(setgid(user) | setuid(user), "setuid") }
    #if arch(x86_64)
      // Before the limit of memory, which a process with the thread sanitizer has already passed.
      let callOf32Bit = Self.makeCallOf32Bit()
      // A kernel without calls of 32-bit processes kills this process here.
      Kernel.say("i386 \(callOf32Bit() == getpid() ? 0 : -1)")
    #else
      Kernel.say("i386 0")
    #endif
    do throws(SystemError) {
      let gaps = try Confinement.enter(user: user, largestFile: 1 << 20, mostMemory: 1 << 30)
      Kernel.say("gaps \(gaps.rawValue)")
    } catch {
      Kernel.say("failed \(error)")
      exit(71)
    }
    attempt("own") { unsafe open("own", O_RDWR | O_CREAT | O_TRUNC, 0o600) }
    attempt("open") { unsafe open(file, O_RDONLY) }
    attempt("truncate") { unsafe truncate(file, 0) }
    attempt("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
    #if arch(x86_64)
      attempt("call") { callOf32Bit() }
    #endif
  }

  private func attempt(_ name: String, _ call: () -> Int32) {
    let result = call()
    Kernel.say("\(name) \(result < 0 ? errno : 0)")
  }

  #if arch(x86_64)
    /// getpid by its number for 32-bit processes: `mov eax, 20; int 0x80; ret`.
    private static func makeCallOf32Bit() -> () -> Int32 {
      typealias Function = @convention(c) () -> Int32
      let code: [UInt8] = [0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]
      let access = PROT_READ | PROT_WRITE | PROT_EXEC
      let page = unsafe mmap(nil, 4096, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let page = unsafe page, unsafe page != MAP_FAILED else { fatalError("mmap: \(errno)") }
      unsafe page.copyMemory(from: code, byteCount: code.count)
      let function = unsafe unsafeBitCast(page, to: Function.self)
      return { function() }
    }
  #endif
}
