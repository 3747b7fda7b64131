import Glibc

/// The words for the system's error numbers that a person may meet here.
package enum ErrorWords {
  package static func of(_ number: Int32) -> String {
    switch number {
    case EPERM, EACCES: "permission denied"
    case ENOENT: "no such file or directory"
    case EIO: "input/output error"
    case ENXIO, ENODEV: "no such device"
    case EBUSY: "in use"
    case EISDIR: "it is a directory"
    case ENOTDIR: "a part of the path is no directory"
    case ENFILE, EMFILE: "too many open files"
    case ENOMEM: "out of memory"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "disk quota exceeded"
    case EFBIG: "the file is too large"
    case EROFS: "the file system is read-only"
    case ELOOP: "it is a symbolic link, or leads through too many"
    case ENAMETOOLONG: "the name is too long"
    case ENOTTY: "no terminal line"
    case EEXIST: "it is there already"
    case ENOTEMPTY: "the folder is not empty"
    case EXDEV: "it is on another file system"
    case ECONNREFUSED: "nobody serves there"
    case ETIMEDOUT: "timed out"
    case EPIPE: "its reader has gone"
    case EINVAL: "invalid argument"
    case EBADF: "it is closed"
    case ESTALE: "another program has changed it meanwhile"
    default: "error \(number)"
    }
  }
}
