import Glibc

/// Descriptions of the system's error numbers that users may see here.
package enum ErrorDescription {
  package static func of(_ number: Int32) -> String {
    switch number {
    case EPERM, EACCES: "permission denied"
    case ENOENT: "no such file or directory"
    case EIO: "input/output error"
    case ENXIO, ENODEV: "no such device"
    case EBUSY: "in use"
    case EISDIR: "it is a directory"
    case ENOTDIR: "a part of the path is not a directory"
    case ENFILE, EMFILE: "too many open files"
    case ENOMEM: "out of memory"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "disk quota exceeded"
    case EFBIG: "the file is too large"
    case EROFS: "the file system is read-only"
    case ELOOP: "it is a symbolic link, or there are too many on its path"
    case ENAMETOOLONG: "the name is too long"
    case ENOTTY: "it is not a terminal line"
    case EEXIST: "it exists already"
    case ENOTEMPTY: "the folder is not empty"
    case EXDEV: "it is on another file system"
    case ECONNREFUSED: "connection refused"
    case ETIMEDOUT: "timed out"
    case EPIPE: "the reader has closed it"
    case EINVAL: "invalid argument"
    case EBADF: "it is closed"
    case ESTALE: "another program has changed it in the meantime"
    default: "error \(number)"
    }
  }
}
