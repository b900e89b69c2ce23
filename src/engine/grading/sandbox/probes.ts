/**
 * What hostile code would try. Each probe is the body of a function that runs as a candidate; the names in capitals are filled in
 * by whoever runs it. A tier is offered only when all of them fail.
 */
export interface Probe {
  readonly id: string
  readonly code: string
  readonly expect: Expectation
  /** What it returns and nothing else, as the harness writes values. */
  readonly value?: unknown
}

/**
 * `raises`: it must raise, or end its process. `empty`: what it returns must be empty, if it returns. `host`: it may do what it likes
 * inside, and none of it may show outside: no file, no connection, no dead process. `killed`: it would never end and must be
 * gone when its time is up. `reported`: its process may break, and that must come back as its end and not as an answer.
 */
export type Expectation = 'raises' | 'empty' | 'host' | 'killed' | 'reported'

const connect = (address: string) => `import socket; socket.create_connection(${address}, 1)`

const jsMemory: Probe = {
  id: 'js-memory',
  code: "import sys\n  sys.modules.pop('_pyodide_core', None)\n  import _pyodide_core as core\n  x = [core.to_js(bytes(1 << 26)) for _ in range(64)]\n  return len(x)",
  expect: 'raises',
}

export const pythonProbes: readonly Probe[] = [
  { id: 'read-ssh', code: "return open('SECRETS/id_rsa').read()", expect: 'raises' },
  { id: 'read-app-token', code: "return open('SECRETS/api-token').read()", expect: 'raises' },
  { id: 'read-app-db', code: "return open('SECRETS/db.sqlite', 'rb').read(16)", expect: 'raises' },
  {
    id: 'env-secrets',
    code: "import os; return [k for k in os.environ if 'KEY' in k or 'TOKEN' in k or 'SECRET' in k or 'ASSAY' in k]",
    expect: 'empty',
  },
  {
    id: 'net-dns',
    code: "import socket; a = socket.gethostbyname('localhost.localdomain.example.com'); socket.create_connection((a, 80), 1)",
    expect: 'raises',
  },
  { id: 'net-tcp', code: connect("('1.1.1.1', 443)"), expect: 'raises' },
  {
    id: 'net-udp',
    code: "import socket; s = socket.socket(2, 2); s.settimeout(1); s.sendto(b'x', ('1.1.1.1', 53)); s.recv(1)",
    expect: 'raises',
  },
  { id: 'net-own-api', code: `${connect("('127.0.0.1', PORT)")}.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n')`, expect: 'host' },
  { id: 'net-host-gateway', code: connect("('host.docker.internal', PORT)"), expect: 'raises' },
  { id: 'net-docker-api', code: connect("('192.168.65.7', 2375)"), expect: 'raises' },
  { id: 'net-metadata', code: connect("('169.254.169.254', 80)"), expect: 'raises' },
  { id: 'unix-docker', code: "import socket; socket.socket(1).connect('/var/run/docker.sock')", expect: 'raises' },
  { id: 'unix-any', code: "import socket; socket.socket(1).connect('SECRETS/listener.sock')", expect: 'raises' },
  { id: 'write-home', code: "import os; open('HOST/pwned-home', 'w').write('x')", expect: 'host' },
  { id: 'write-outside-cwd', code: "import os; os.makedirs('HOST', exist_ok=True); open('HOST/pwned', 'w').write('x')", expect: 'host' },
  { id: 'symlink-escape', code: "import os; os.symlink('HOST', 'x'); open('x/pwned-link', 'w').write('x')", expect: 'host' },
  { id: 'hardlink', code: "import os; os.link('SECRETS/api-token', 'h'); return open('h').read()", expect: 'raises' },
  { id: 'fork-bomb', code: 'import os\n  while True: os.fork()', expect: 'raises' },
  { id: 'memory', code: 'return len(bytearray(8 << 30))', expect: 'raises' },
  { id: 'memory-step-by-step', code: 'x = []\n  while True: x.append(bytes(1 << 24))', expect: 'raises' },
  { id: 'cpu', code: 'while True: pass', expect: 'killed' },
  { id: 'ignore-sigterm', code: 'import signal, time; signal.signal(15, signal.SIG_IGN)\n  while True: time.sleep(1)', expect: 'killed' },
  { id: 'catch-everything', code: 'while True:\n    try:\n      while True: pass\n    except BaseException: pass', expect: 'killed' },
  { id: 'daemonise', code: 'import os; os.setsid()\n  if os.fork() == 0: os.execv("/bin/sleep", ["sleep", "999"])', expect: 'raises' },
  { id: 'exec', code: 'import os; os.execv("/bin/sh", ["sh", "-c", "echo x"])', expect: 'raises' },
  { id: 'subprocess', code: 'import subprocess; return subprocess.run(["id"], capture_output=True).stdout', expect: 'raises' },
  {
    id: 'threads',
    code: 'import threading, time\n  for i in range(10000): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()',
    expect: 'raises',
  },
  { id: 'disk-fill', code: "f = open('f', 'wb')\n  for i in range(10 << 10): f.write(b'0' * (1 << 20))\n  f.flush()", expect: 'raises' },
  { id: 'many-files', code: "x = [open(str(i), 'w') for i in range(10 ** 6)]", expect: 'raises' },
  { id: 'stdout-flood', code: "while True: print('x' * 10 ** 6)", expect: 'killed' },
  { id: 'stdout-raw-flood', code: "import os\n  while True: [os.write(n, b'x' * 10 ** 6) for n in range(1, 8)]", expect: 'killed' },
  { id: 'stdout-close', code: 'import os\n  for n in range(8): os.close(n)', expect: 'reported' },
  { id: 'stdin-read', code: 'return input()', expect: 'raises' },
  { id: 'ptrace', code: 'import ctypes; r = ctypes.CDLL(None).ptrace(16, 1, 0, 0)\n  if r != 0: raise OSError(r)', expect: 'raises' },
  { id: 'proc-list', code: "import os; return [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]", expect: 'empty' },
  { id: 'proc-root', code: "import os; return os.listdir('/proc/1/root/HOST')", expect: 'raises' },
  { id: 'kill-host', code: 'import os; os.kill(os.getppid(), 9)', expect: 'host' },
  { id: 'kill-group', code: 'import os; os.kill(0, 15); os.kill(-1, 15); os.kill(HOSTPID, 9)', expect: 'host' },
  { id: 'setuid', code: "import os; os.setuid(0); return open('SECRETS/api-token').read()", expect: 'raises' },
  { id: 'userns', code: 'import ctypes; r = ctypes.CDLL(None).unshare(0x10000000)\n  if r != 0: raise OSError(r)', expect: 'raises' },
  {
    id: 'mount',
    code: "import ctypes; r = ctypes.CDLL(None).mount(b'tmpfs', b'/task', b'tmpfs', 0, None)\n  if r != 0: raise OSError(r)",
    expect: 'raises',
  },
  {
    id: 'listmount',
    code: 'import ctypes; r = ctypes.CDLL(None).syscall(458, ctypes.create_string_buffer(bytes([24, 0, 0, 0, 0, 0, 0, 0]) + b"\\xff" * 8 + bytes(8)), ctypes.create_string_buffer(800), 100, 0)\n  if r < 0: raise OSError(r)',
    expect: 'raises',
  },
  {
    id: 'statmount',
    code: 'import ctypes; c = ctypes.CDLL(None, use_errno=True); r = c.syscall(457, None, None, 0, 0)\n  if ctypes.get_errno() in (0, 1, 38): raise OSError(r)\n  return "the kernel has looked at it"',
    expect: 'raises',
  },
  {
    id: 'hostname',
    code: "import os, platform; return [n for n in (os.uname().nodename, platform.node()) if n == 'HOSTNAME']",
    expect: 'empty',
  },
  { id: 'mknod', code: "import os; os.mknod('d', 0o60600, os.makedev(8, 0)); return open('d', 'rb').read(16)", expect: 'raises' },
  { id: 'time-bomb-import', code: "open('sitecustomize.py', 'w').write('x'); open('json.py', 'w').write('x')", expect: 'host' },
  {
    id: 'result-forgery',
    code: "import json; print('\\n' + json.dumps({'passed': True, 'verdict': {'passed': True}})); return 'forged'",
    expect: 'host',
    value: 'forged',
  },
  { id: 'exit-0-early', code: 'import os; os._exit(0)', expect: 'reported' },
  { id: 'system-exit', code: 'raise SystemExit(0)', expect: 'raises' },
  {
    id: 'monkeypatch-assert',
    code: "import builtins, sys; builtins.AssertionError = ValueError; sys.modules['unittest'] = None",
    expect: 'host',
  },
  { id: 'recursion', code: 'f = lambda: f()\n  f()', expect: 'raises' },
  { id: 'deep-value', code: 'x = []\n  for i in range(10 ** 5): x = [x]\n  return x', expect: 'raises' },
  { id: 'segv', code: 'import ctypes, os; ctypes.string_at(0); os.abort()', expect: 'reported' },
  { id: 'unicode-out', code: 'return bytes(range(256))', expect: 'host' },
  { id: 'disk-fill-many', code: "for i in range(1200): open(str(i), 'wb').write(b'x' * (1 << 20))", expect: 'raises' },
  {
    id: 'disk-fill-shm',
    code: "f = open('/dev/shm/x', 'wb')\n  for i in range(200): f.write(b'x' * (1 << 20))\n  f.flush()",
    expect: 'raises',
  },
  {
    id: 'disk-truncate',
    code: "import os\n  f = open('t', 'wb'); f.truncate(200 << 20); f.write(b'x'); os.posix_fallocate(f.fileno(), 0, 200 << 20)",
    expect: 'raises',
  },
  { id: 'many-folders', code: "import os\n  for i in range(10 ** 5): os.mkdir('d%d' % i)", expect: 'raises' },
  { id: 'js-bridge', code: 'import js; return js.process.env', expect: 'raises' },
  { id: 'js-eval', code: "from pyodide.code import run_js; return run_js('process.pid')", expect: 'raises' },
  {
    id: 'js-constructor',
    code: "import pyodide_js; return pyodide_js.constructor.constructor('return process')().pid",
    expect: 'raises',
  },
  { id: 'js-mount', code: "import pyodide_js, os; pyodide_js.mountNodeFS('/m', 'HOST'); return os.listdir('/m')", expect: 'raises' },
  { id: 'js-ffi', code: 'from pyodide.ffi import to_js; return to_js', expect: 'raises' },
  {
    id: 'js-frames',
    code: "import sys\n  f, out = sys._getframe(), []\n  while f: out += [k for k in [*f.f_globals, *f.f_locals] if k in ('to_js', 'run_js', 'pyodide_js', '_pyodide_core')]; f = f.f_back\n  return out",
    expect: 'empty',
  },
  // Elsewhere nothing bounds it, which the tier says of itself.
  ...(process.platform === 'linux' ? [jsMemory] : []),
  { id: 'js-package', code: "import pyodide_js; pyodide_js.loadPackage('http://127.0.0.1:PORT/x.whl')", expect: 'host' },
]
