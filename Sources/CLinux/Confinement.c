#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock's third version (Linux 6.2); the headers may be older than the kernel.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

int clinux_confine_files(int folder, int writes) {
  const int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return -1;
  // A right that is not handled stays permitted everywhere.
  const __u64 truncation = version >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0;
  struct landlock_ruleset_attr attributes = {
      // Everything of the first version (Linux 5.13).
      .handled_access_fs = ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) | truncation,
  };
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return -1;
  struct landlock_path_beneath_attr beneath = {
      .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                        (writes ? LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                      LANDLOCK_ACCESS_FS_MAKE_REG | truncation
                                : 0),
      .parent_fd = folder,
  };
  int result = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
  if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
  const int number = errno;
  close(rules);
  errno = number;
  return result == 0 ? version : -1;
}

// A call of these numbers fails with EPERM: sockets, other programs, what a program without privileges can still do to others, and
// truncate(2), which Landlock's first versions permit for all files; SQLite and libosmium use ftruncate(2).
#define DENY(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

#if defined __x86_64__ && !defined __ILP32__
#define NATIVE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __AARCH64EL__
#define NATIVE AUDIT_ARCH_AARCH64
#endif

// Calls that are newer than some headers; their numbers are those of all architectures.
enum { PIDFD_GETFD = 438, MOUNT_SETATTR = 442 };

#ifdef NATIVE
int clinux_confine_calls(void) {
  struct sock_filter filter[] = {
      // A 64-bit process can make the calls of 32-bit processes, too, whose numbers mean other calls.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
      // The calls of x32 have other numbers.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
      // Threads, but no processes: one of those could outlive this process, and change its file. glibc's threads work without clone3,
      // whose flags are in memory, where a filter cannot read them.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#ifdef SYS_fork
      DENY(SYS_fork),
      DENY(SYS_vfork),
#endif
      DENY(SYS_socket),
      DENY(SYS_socketpair),
      DENY(SYS_connect),
      DENY(SYS_bind),
      DENY(SYS_execve),
      DENY(SYS_execveat),
      DENY(SYS_ptrace),
      DENY(SYS_process_vm_readv),
      DENY(SYS_process_vm_writev),
      DENY(SYS_kill),
      DENY(SYS_tkill),
      DENY(SYS_rt_sigqueueinfo),
      DENY(SYS_rt_tgsigqueueinfo),
      DENY(SYS_pidfd_open),
      DENY(SYS_pidfd_send_signal),
      DENY(PIDFD_GETFD),
      DENY(SYS_mount),
      DENY(SYS_umount2),
      DENY(SYS_open_tree),
      DENY(SYS_move_mount),
      DENY(SYS_fsopen),
      DENY(SYS_fspick),
      DENY(SYS_fsmount),
      DENY(MOUNT_SETATTR),
      DENY(SYS_pivot_root),
      DENY(SYS_chroot),
      DENY(SYS_unshare),
      DENY(SYS_setns),
      DENY(SYS_bpf),
      DENY(SYS_perf_event_open),
      DENY(SYS_add_key),
      DENY(SYS_request_key),
      DENY(SYS_keyctl),
      DENY(SYS_userfaultfd),
      DENY(SYS_io_uring_setup),
      DENY(SYS_open_by_handle_at),
      DENY(SYS_truncate),
      DENY(SYS_init_module),
      DENY(SYS_finit_module),
      DENY(SYS_delete_module),
      DENY(SYS_kexec_load),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
#else
int clinux_confine_calls(void) {
  errno = ENOSYS;
  return -1;
}
#endif

int clinux_confine_root(unsigned user) {
  if (chroot(".") != 0 || chdir("/") != 0) return -1;
  if (setgroups(0, NULL) != 0) return -1;
  if (setresgid(user, user, user) != 0) return -1;
  return setresuid(user, user, user);
}

int clinux_drop_capabilities(void) {
  // The first process of a user namespace has all capabilities in it.
  for (int capability = 0; capability <= CAP_LAST_CAP; capability++) (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  return (int)syscall(SYS_capset, &header, none);
}

int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int clinux_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int clinux_separate_network(void) {
  // Without a privilege, a user namespace is needed first; a machine may forbid both.
  return unshare(CLONE_NEWNET) == 0 ? 0 : unshare(CLONE_NEWUSER | CLONE_NEWNET);
}

int clinux_idle_disk(void) {
  // IOPRIO_WHO_PROCESS, this thread; IOPRIO_CLASS_IDLE (ioprio_set(2)).
  return (int)syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}

int clinux_open_nameless(const char *folder) { return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }
