"""Shuts this process into Linux namespaces before any model-written code is near.

New user, mount, process, network, IPC and host-name namespaces; a root that holds nothing but Python's library, read-only, and a small
folder in memory; no capability; no new process, program or socket (seccomp); limits on memory, processor time, files and their size.
Whatever cannot be set up raises, and Assay then does not offer this sandbox.

Starting Python and compiling this program takes longer than shutting it in, so one process, which never runs any code but this,
does the former and then forks a sandboxed process whenever it is told to. Nothing that runs in one of them reaches it or the others.
"""

import _signal
import ctypes
import os
import resource
import select
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)

NEW_USER, NEW_PID, NEW_NET, NEW_NS, NEW_IPC, NEW_UTS = 0x10000000, 0x20000000, 0x40000000, 0x20000, 0x8000000, 0x4000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER = 1, 24, 38, 22, 36
NOBODY, SIGKILL, SIGCHLD = 65534, 9, 17
FIRST_SEAT = 3

# Numbers by machine: no sockets, programs, mounts or lists of them, namespaces, tracing, kernel keys, shared memory or
# other ways out.
DENIED = {
    'x86_64': (
        0xC000003E,
        56,
        [41, 42, 43, 49, 50, 288, 57, 58, 59, 322, 101, 165, 166, 155, 161, 272, 308, 321, 298, 250, 248, 249, 425, 426, 427, 323, 246, 320]
        + [175, 313, 176, 304, 303, 133, 259, 86, 265, 135, 179, 167, 168, 169, 170, 171, 310, 311, 438, 434, 424, 430, 431, 432, 433, 429]
        + [428, 442, 312, 103, 163, 164, 227, 159, 305, 172, 173, 212, 153, 154, 279, 237, 256, 238, 319, 447, 29, 68, 64, 240]
        + [443, 457, 458, 459, 460, 461],
    ),
    'aarch64': (
        0xC00000B7,
        220,
        [198, 203, 202, 200, 201, 242, 221, 281, 117, 40, 39, 41, 51, 97, 268, 280, 241, 219, 217, 218, 425, 426, 427, 282, 104, 294, 105]
        + [273, 106, 265, 264, 33, 37, 92, 60, 224, 225, 142, 161, 162, 270, 271, 438, 434, 424, 430, 431, 432, 433, 429, 428, 442, 272]
        + [116, 89, 170, 112, 171, 266, 18, 58, 239, 235, 238, 237, 279, 447, 194, 186, 190, 180, 443, 457, 458, 459, 460, 461],
    ),
}
CLONE3, NEWEST_KNOWN, CLONE_THREAD = 435, 462, 0x10000


def call(name, *args):
    if getattr(libc, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, name + ': ' + os.strerror(number))


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def mount(source, target, kind, flags, data=None):
    encoded = [None if part is None else part.encode() for part in (source, target, kind)]
    call('mount', encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), None if data is None else data.encode())


def bind(root, path, flags):
    """The host's file or folder at the same place in the new root, read-only."""
    target = root + path
    if os.path.isdir(path):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        open(target, 'w').close()
    mount(path, target, None, MS_BIND | MS_REC)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | flags | locked(target))


def locked(target):
    """Flags of the host's own mount: a namespace may not take them away."""
    flags = os.statvfs(target).f_flag
    return flags & (MS_NOSUID | MS_NODEV | MS_NOEXEC | 1024 | 2048 | (1 << 21))


def libraries():
    """What a running Python still needs: its own library, and the shared libraries that its modules are linked with."""
    return [path for path in dict.fromkeys([os.path.dirname(os.__file__)] + ['/lib', '/lib64', '/usr/lib', '/usr/lib64']) if os.path.exists(path)]


def packages():
    """Folders of packages that the system's package manager installed for this Python; code sees them after Python's own library."""
    library = os.path.dirname(os.__file__)
    folders = [library + '/site-packages', library + '/dist-packages', '/usr/lib/python3/dist-packages']
    return [path for path in folders if os.path.isdir(path)]


def enter_root(paths, disk):
    mount(None, '/', None, MS_REC | MS_PRIVATE)
    root = '/tmp'
    mount('tmpfs', root, 'tmpfs', MS_NOSUID | MS_NODEV, 'mode=0755,size=1m')
    for path in paths:
        if os.path.islink(path):
            os.symlink(os.readlink(path), root + path)
        elif not any(path.startswith(other + '/') for other in paths):
            bind(root, path, MS_NODEV)
    for device in ('/dev/null', '/dev/urandom', '/dev/random', '/dev/zero'):
        bind(root, device, 0)
    # Where `harness/candidate.py` puts what a program reads and writes.
    os.symlink('/task/stdin.txt', root + '/dev/stdin')
    os.symlink('/task/stdout.txt', root + '/dev/stdout')
    os.makedirs(root + '/task', 0o700)
    mount('tmpfs', root + '/task', 'tmpfs', MS_NOSUID | MS_NODEV | MS_NOEXEC, 'mode=0700,nr_inodes=512,size=' + str(disk))
    os.makedirs(root + '/old', 0o700)
    call('pivot_root', root.encode(), (root + '/old').encode())
    os.chdir('/')
    call('umount2', b'/old', MNT_DETACH)
    os.rmdir('/old')
    mount(None, '/', None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir('/task')


def limit(memory, disk, seconds):
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (32, 32))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))


def drop_powers():
    for capability in range(41):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack('II', 0x20080522, 0)
    call('capset', header, bytes(24))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError('no_new_privs was refused')


def filter_calls():
    architecture, clone, numbers = DENIED[os.uname().machine]
    load, equal, above, any_bit, answer = 0x20, 0x15, 0x25, 0x45, 0x06
    allow, kill, denied, unknown = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38
    program = [(load, 0, 0, 4), (equal, 1, 0, architecture), (answer, 0, 0, kill), (load, 0, 0, 0)]
    for number in numbers:
        program += [(equal, 0, 1, number), (answer, 0, 0, denied)]
    # A newer way to clone hides its flags from a filter: the C library falls back to the old one, whose flags show a thread.
    program += [(equal, 0, 1, CLONE3), (answer, 0, 0, unknown), (above, 0, 1, NEWEST_KNOWN), (answer, 0, 0, unknown)]
    program += [(equal, 0, 3, clone), (load, 0, 0, 16), (any_bit, 1, 0, CLONE_THREAD), (answer, 0, 0, denied), (answer, 0, 0, allow)]
    code = b''.join(struct.pack('HBBI', *line) for line in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack('HxxxxxxQ', len(program), ctypes.addressof(buffer))
    if libc.prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(header), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'the filter of system calls was refused')


def close_others():
    os.closerange(3, 4096)


def shut_in(parent, memory, disk, seconds):
    """Returns only inside. The process outside waits, and dies with its parent; the one inside dies with the one outside."""
    if os.uname().machine not in DENIED:
        raise OSError('no filter of system calls is written for ' + os.uname().machine)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)
    paths = libraries()
    user, group = os.geteuid(), os.getegid()
    call('unshare', NEW_USER | NEW_PID | NEW_NET | NEW_NS | NEW_IPC | NEW_UTS)
    call('sethostname', b'sandbox', 7)
    write('/proc/self/setgroups', 'deny')
    write('/proc/self/uid_map', '%d %d 1' % (NOBODY, user))
    write('/proc/self/gid_map', '%d %d 1' % (NOBODY, group))
    outside_lives, held = os.pipe()
    inside = os.fork()
    if inside != 0:
        os.close(0)
        os.close(1)
        _, status, used = os.wait4(inside, 0)
        if os.WIFEXITED(status):
            os._exit(os.WEXITSTATUS(status))
        # Code cannot kill the first process of its namespace, which it is in. The kernel does at the end of its processor time; any
        # earlier kill is somebody else's, and this process passes it on as a kill of its own.
        if os.WTERMSIG(status) == SIGKILL and used.ru_utime + used.ru_stime < seconds - 1:
            os.kill(os.getpid(), SIGKILL)
        os._exit(128 + os.WTERMSIG(status))
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    # Who was outside may have been killed before it could be said that this one ends with it; its number cannot be seen from here.
    os.close(held)
    if select.select([outside_lives], [], [], 0)[0]:
        os._exit(0)
    os.setsid()
    close_others()
    os.environ.clear()
    os.environ['HOME'] = '/task'
    # Numeric libraries start a thread for each core, and reserve memory for it.
    os.environ['OPENBLAS_NUM_THREADS'] = os.environ['OMP_NUM_THREADS'] = '1'
    enter_root(paths, disk)
    limit(memory, disk, seconds)
    drop_powers()
    filter_calls()


def fork_server(seats, memory, disk, seconds):
    """Reads `start SEAT ROLE` and `kill SEAT` on standard input, and writes `SEAT CODE BY` when the process of a seat
    has ended: by `code`, or by somebody `outside` who has killed it.

    A seat is a socket that Assay has handed over, the standard input and output of one sandboxed process. When the input ends, every
    process is killed. All are waited for, those inside too, so none is left to whoever the first process of the machine is.
    """
    sys.path += packages()
    parent = os.getppid()
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError('processes inside could not be waited for')
    ended, wake = os.pipe()
    os.set_blocking(ended, False)
    os.set_blocking(wake, False)
    _signal.signal(SIGCHLD, lambda *_: None)
    _signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    left, processes, partial = seats, {}, b''
    while left > 0 or processes:
        ready = select.select([0, ended], [], [])[0]
        if ended in ready:
            os.read(ended, 4096)
            report_ends(processes)
        if 0 not in ready:
            continue
        data = os.read(0, 4096)
        if not data:
            break
        *lines, partial = (partial + data).split(b'\n')
        for line in lines:
            verb, seat, *role = line.decode().split(' ')
            if verb == 'start':
                left -= 1
                processes[fork_seat(int(seat), role[0], memory, disk, seconds)] = int(seat)
            else:
                for process in [process for process, taken in processes.items() if taken == int(seat)]:
                    os.kill(process, SIGKILL)
    for process in processes:
        os.kill(process, SIGKILL)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            os._exit(0)


def report_ends(processes):
    """Waits for what has ended. What is not in `processes` was inside, and has lost the one that was waiting for it."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            return
        if process in processes:
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
            by = b'outside' if os.WIFSIGNALED(status) else b'code'
            os.write(1, b'%d %d %s\n' % (processes.pop(process), code, by))


def fork_seat(seat, role, memory, disk, seconds):
    server = os.getpid()
    process = os.fork()
    if process != 0:
        os.close(FIRST_SEAT + seat)
        return process
    try:
        _signal.set_wakeup_fd(-1)
        _signal.signal(SIGCHLD, _signal.SIG_DFL)
        os.dup2(FIRST_SEAT + seat, 0)
        os.dup2(0, 1)
        close_others()
        shut_in(server, memory, disk, seconds)
        serve(role)
    except BaseException as error:
        os.write(1, b'{"failed": ' + quote(type(error).__name__ + ': ' + str(error)).encode() + b'}\n')
    os._exit(1)
