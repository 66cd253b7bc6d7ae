#ifdef __linux__
#define _GNU_SOURCE /* pipe2, O_PATH, CLONE_… */
#endif

#include "CConfinement.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Landlock: which files (linux/landlock.h, which older headers do not have) ---- */

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

struct ruleset {
  uint64_t files;
  uint64_t net;
  uint64_t scoped;
};

struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

enum {
  may_execute = 1 << 0,
  may_write = 1 << 1,
  may_read = 1 << 2,
  may_list = 1 << 3,
  may_remove_folder = 1 << 4,
  may_remove = 1 << 5,
  may_make_folder = 1 << 7,
  may_make_file = 1 << 8,
  may_truncate = 1 << 14,
  /* What can be said of a file alone. */
  of_files = may_execute | may_write | may_read | may_truncate,
};

int cconfinement_landlock(void) {
  long version = syscall(__NR_landlock_create_ruleset, NULL, 0, 1u);
  return version > 0 ? (int)version : 0;
}

static int make_ruleset(int version, uint64_t *handled) {
  struct ruleset ruleset = {0};
  /* 13 rights of the first version; moving files between folders, truncating, and ioctl came later. */
  ruleset.files = (UINT64_C(1) << 13) - 1;
  if (version >= 2) ruleset.files |= UINT64_C(1) << 13;
  if (version >= 3) ruleset.files |= UINT64_C(1) << 14;
  if (version >= 5) ruleset.files |= UINT64_C(1) << 15;
  /* Neither binding nor connecting by TCP; no abstract sockets, no signals to anybody outside. */
  if (version >= 4) ruleset.net = 3;
  if (version >= 6) ruleset.scoped = 3;
  size_t size = version >= 6 ? sizeof ruleset : version >= 4 ? 16 : 8;
  *handled = ruleset.files;
  return (int)syscall(__NR_landlock_create_ruleset, &ruleset, size, 0u);
}

/* What is not there needs no rule. */
static void allow(int rules, const char *path, uint64_t rights, uint64_t handled) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat facts;
  if (fstat(descriptor, &facts) == 0) {
    if (!S_ISDIR(facts.st_mode)) rights &= of_files;
    struct path_rule rule = {.allowed = rights & handled, .parent = descriptor};
    syscall(__NR_landlock_add_rule, rules, 1, &rule, 0u);
  }
  close(descriptor);
}

/* Programs and libraries, wherever distributions keep them. */
static const char *const programs[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store",
    "/gnu/store", NULL,
};

/* What they look up: never the whole of /etc, /var or /proc. */
static const char *const facts[] = {
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts",
    "/etc/alternatives", "/etc/ghostscript", "/etc/papersize", "/etc/paperspecs", "/etc/localtime",
    "/etc/locale.alias", "/var/cache/fontconfig", "/var/lib/ghostscript", "/var/lib/fonts",
    "/dev/urandom", "/dev/random", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo",
    "/proc/stat", "/proc/filesystems", "/proc/sys/kernel", "/proc/sys/vm", "/sys/devices/system",
    "/sys/fs/cgroup", NULL,
};

/* The rules, or -1 without Landlock. */
static int make_rules(const cconfinement_order *order) {
  int version = cconfinement_landlock();
  if (version == 0) return -1;
  uint64_t handled = 0;
  int rules = make_ruleset(version, &handled);
  if (rules < 0) return -1;
  const uint64_t read = may_read | may_list;
  for (const char *const *path = programs; *path; path++)
    allow(rules, *path, read | may_execute, handled);
  for (const char *const *path = facts; *path; path++) allow(rules, *path, read, handled);
  for (const char *const *path = order->readable; *path; path++)
    allow(rules, *path, read | may_execute, handled);
  allow(rules, "/dev/null", may_read | may_write, handled);
  /* Swift's runtime looks every second what its threads do, under the threads' own numbers, and ends
   * the process where it may not. What is private in the entries of others (memory, environment,
   * open files) stays closed: Landlock takes reading it for tracing. */
  if (order->starts_others) allow(rules, "/proc", read, handled);
  uint64_t own = read;
  if (order->writes)
    own |= may_write | may_remove_folder | may_remove | may_make_folder | may_make_file | may_truncate;
  allow(rules, order->folder, own, handled);
  return rules;
}

/* ---- seccomp: which calls ---- */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

/* Newer than some headers. */
#define pidfd_getfd_number 438
#define fchmodat2_number 452
#define setxattrat_number 463
#define removexattrat_number 466
#ifndef __NR_clone3
#define __NR_clone3 435
#endif
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#define __NR_io_uring_enter 426
#define __NR_io_uring_register 427
#endif

#define FIELD(NAME) (unsigned)offsetof(struct seccomp_data, NAME)
#define LOAD(NAME) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(NAME))
#define LOAD_LOW(ARGUMENT)                                                                         \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args[ARGUMENT]))
#define ANSWER(WITH) BPF_STMT(BPF_RET | BPF_K, (WITH))
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE(NUMBER) ANSWER(SECCOMP_RET_ERRNO | (NUMBER))
/* One call that is refused whatever its arguments are. */
#define REFUSED(CALL)                                                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (CALL), 0, 1), REFUSE(EPERM)

#define INSTALL(FILTER)                                                                            \
  install((FILTER), (unsigned short)(sizeof(FILTER) / sizeof *(FILTER)))

static int install(struct sock_filter *filter, unsigned short length) {
  struct sock_fprog program = {.len = length, .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Safe after fork: the filters are made on the stack. */
static int forbid_calls(bool starts_others) {
#ifdef MACHINE
  struct sock_filter common[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      /* The calls of x32 have other numbers. */
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE(ENOSYS),
#endif
      /* No network and no local service: neither a socket, alone or in a pair, nor an address given to
       * one that was left open; io_uring would do the same behind this filter. */
      REFUSED(__NR_socket), REFUSED(__NR_socketpair), REFUSED(__NR_connect), REFUSED(__NR_bind),
      REFUSED(__NR_sendto), REFUSED(__NR_sendmsg), REFUSED(__NR_sendmmsg),
      REFUSED(__NR_io_uring_setup), REFUSED(__NR_io_uring_enter), REFUSED(__NR_io_uring_register),
      /* No news of the files of others, which Landlock leaves to whoever may read them. */
      REFUSED(__NR_inotify_init1), REFUSED(__NR_fanotify_init),
#ifdef __NR_inotify_init
      REFUSED(__NR_inotify_init),
#endif
      /* Not into other processes. */
      REFUSED(__NR_ptrace), REFUSED(__NR_process_vm_readv), REFUSED(__NR_process_vm_writev),
      REFUSED(__NR_kcmp), REFUSED(pidfd_getfd_number), REFUSED(__NR_pidfd_send_signal),
      REFUSED(__NR_rt_sigqueueinfo), REFUSED(__NR_rt_tgsigqueueinfo), REFUSED(__NR_tkill),
      /* Not deeper into the kernel than drawing needs. */
      REFUSED(__NR_unshare), REFUSED(__NR_setns), REFUSED(__NR_mount), REFUSED(__NR_umount2),
      REFUSED(__NR_pivot_root), REFUSED(__NR_chroot), REFUSED(__NR_bpf),
      REFUSED(__NR_perf_event_open), REFUSED(__NR_userfaultfd), REFUSED(__NR_add_key),
      REFUSED(__NR_request_key), REFUSED(__NR_keyctl), REFUSED(__NR_open_by_handle_at),
      REFUSED(__NR_init_module), REFUSED(__NR_finit_module), REFUSED(__NR_delete_module),
      REFUSED(__NR_kexec_load), REFUSED(__NR_reboot), REFUSED(__NR_swapon), REFUSED(__NR_swapoff),
      REFUSED(__NR_acct),
      /* Landlock says who may read and write, and nothing of permissions, owners, times and labels,
       * which whoever owns a file may change. */
      REFUSED(__NR_fchmod), REFUSED(__NR_fchmodat), REFUSED(fchmodat2_number), REFUSED(__NR_fchown),
      REFUSED(__NR_fchownat), REFUSED(__NR_utimensat), REFUSED(__NR_setxattr),
      REFUSED(__NR_lsetxattr), REFUSED(__NR_fsetxattr), REFUSED(setxattrat_number),
      REFUSED(__NR_removexattr), REFUSED(__NR_lremovexattr), REFUSED(__NR_fremovexattr),
      REFUSED(removexattrat_number),
#ifdef __NR_chmod
      REFUSED(__NR_chmod), REFUSED(__NR_chown), REFUSED(__NR_lchown), REFUSED(__NR_utime),
      REFUSED(__NR_utimes), REFUSED(__NR_futimesat),
#endif
      /* Memory, queues and semaphores that the user's other programs share. */
      REFUSED(__NR_shmget), REFUSED(__NR_shmat), REFUSED(__NR_shmctl), REFUSED(__NR_msgget),
      REFUSED(__NR_msgsnd), REFUSED(__NR_msgrcv), REFUSED(__NR_msgctl), REFUSED(__NR_semget),
      REFUSED(__NR_semop), REFUSED(__NR_semctl), REFUSED(__NR_semtimedop), REFUSED(__NR_mq_open),
      REFUSED(__NR_mq_unlink),
      /* Not out of the group that is ended with it, nor out of its parent's end: what it starts may
       * ask for an end of its own and for no other. */
      REFUSED(__NR_setsid), REFUSED(__NR_setpgid),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prctl, 0, 6), LOAD_LOW(0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 0, 2), LOAD_LOW(1),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGKILL, 0, 1), ALLOW, REFUSE(EPERM),
      /* Its arguments are in memory, where no filter looks; the C library then takes clone. */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1), REFUSE(ENOSYS),
      /* Threads and processes, but no world of their own. */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4), LOAD_LOW(0),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID,
               0, 1),
      REFUSE(EPERM), ALLOW,
      /* Limits of its own only (0 is whoever calls). */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4), LOAD_LOW(0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), REFUSE(EPERM), ALLOW,
      /* No text typed into a terminal for its owner (TIOCSTI), none pasted there (TIOCLINUX). */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 5), LOAD_LOW(1),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x5412, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x541C, 0, 1), REFUSE(EPERM), ALLOW,
      ALLOW,
  };
  if (INSTALL(common) != 0) return -1;
  if (starts_others) return 0;
  /* Threads, but no processes; signals to itself alone. */
  struct sock_filter alone[] = {
      LOAD(nr),
#ifdef __NR_fork
      REFUSED(__NR_fork), REFUSED(__NR_vfork),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4), LOAD_LOW(0),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0), REFUSE(EPERM), ALLOW,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_kill, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4), LOAD_LOW(0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0), REFUSE(EPERM), ALLOW,
      ALLOW,
  };
  return INSTALL(alone);
#else
  (void)starts_others;
  return 0;
#endif
}

/* ---- The start ---- */

static int limit(int what, uint64_t most) {
  struct rlimit own;
  if (getrlimit(what, &own) != 0) return -1;
  if (own.rlim_max != RLIM_INFINITY && most > own.rlim_max) most = own.rlim_max;
  own.rlim_cur = own.rlim_max = most;
  return setrlimit(what, &own);
}

/* Of what root may, reading files of others stays, because they are what is read; Landlock says which.
 * The rest goes: whoever may watch performance, for one, reads the environment of any process. */
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {{0}};
  if (syscall(__NR_capget, &header, data) != 0) return -1;
  uint32_t kept = data[0].permitted & (1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
  data[0] = (struct __user_cap_data_struct){.effective = kept, .permitted = kept};
  data[1] = (struct __user_cap_data_struct){0};
  return (int)syscall(__NR_capset, &header, data);
}

/* Runs in the new process, in the memory of the one that waits for it: whatever it leaves there stays.
 * Answers when something failed. */
static void become(const cconfinement_order *order, int rules, pid_t parent, int output, int errors,
                   int nothing, uint64_t processes) {
  /* While signals are still blocked: no handler of the other process runs here. */
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  /* A program at its limit for files gets an error (EFBIG) instead of the signal that would end it:
   * fontconfig tries to write a cache wherever none is there yet, and does without if it cannot. */
  signal(SIGXFSZ, SIG_IGN);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (getppid() != parent) _exit(1);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  /* No terminal: /dev/tty leads nowhere. Where this is a confined child itself, it has none, and what
   * it starts stays in its group. */
  if (setsid() < 0 && errno != EPERM) return;
  if (dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) return;
  /* Nothing that another part of the program left open (close_range, CLOSE_RANGE_CLOEXEC). */
  syscall(436, 3u, ~0u, 4u);
  if (limit(RLIMIT_CORE, 0) != 0 || limit(RLIMIT_AS, order->memory) != 0 ||
      limit(RLIMIT_CPU, order->seconds) != 0 || limit(RLIMIT_FSIZE, order->file_bytes) != 0)
    return;
  /* For the user's processes in all, wherever they are. */
  limit(RLIMIT_NPROC, processes);
  if (rules >= 0) {
    /* Its own entry, which is known only here: a program may ask for its arguments. */
    allow(rules, "/proc/self", may_read | may_list, may_read | may_list);
    if (syscall(__NR_landlock_restrict_self, rules, 0u) != 0) return;
  }
  if (drop_capabilities() != 0 || forbid_calls(order->starts_others) != 0) return;
  execve(order->program, order->arguments, order->environment);
}

int cconfinement_end(pid_t process) { return (int)syscall(434 /* pidfd_open */, process, 0u); }

static void close_all(int *descriptors, int count) {
  for (int i = 0; i < count; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
}

int cconfinement_start(const cconfinement_order *order, cconfinement_child *child) {
  /* Output, errors, report: each where it is read and where it is written; then nothing and rules. */
  int ends[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  int failure = 0;
  if (pipe2(ends, O_CLOEXEC) != 0 || (order->keeps_errors && pipe2(ends + 2, O_CLOEXEC) != 0) ||
      pipe2(ends + 4, O_CLOEXEC) != 0 || (ends[6] = open("/dev/null", O_RDWR | O_CLOEXEC)) < 0) {
    failure = errno;
    close_all(ends, 8);
    return failure;
  }
  ends[7] = make_rules(order);
  struct sysinfo system;
  uint64_t processes = (sysinfo(&system) == 0 ? system.procs : 4096) + 256u;
  /* A signal that comes in between must not run this program's handlers in the child. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  /* Not fork: a copy of the tables of a large process's memory takes longer than all the rest. */
  pid_t process = vfork();
  if (process == 0) {
    become(order, ends[7], parent, ends[1], order->keeps_errors ? ends[3] : ends[6], ends[6],
           processes);
    int number = errno;
    while (write(ends[5], &number, sizeof number) < 0 && errno == EINTR) continue;
    _exit(127);
  }
  failure = process < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[5]);
  ends[5] = -1;
  if (process > 0) {
    int number = 0;
    ssize_t count;
    while ((count = read(ends[4], &number, sizeof number)) < 0 && errno == EINTR) continue;
    if (count != 0) {
      failure = count == sizeof number && number != 0 ? number : EIO;
      kill(process, SIGKILL);
      while (waitpid(process, NULL, 0) < 0 && errno == EINTR) continue;
    }
  }
  if (failure == 0) {
    *child = (cconfinement_child){.process = process, .output = ends[0], .errors = ends[2]};
    ends[0] = ends[2] = -1;
  }
  close_all(ends, 8);
  return failure;
}

#else

#include <errno.h>

int cconfinement_landlock(void) { return 0; }
int cconfinement_end(pid_t process) {
  (void)process;
  return -1;
}

int cconfinement_start(const cconfinement_order *order, cconfinement_child *child) {
  (void)order;
  (void)child;
  return ENOSYS;
}

#endif
