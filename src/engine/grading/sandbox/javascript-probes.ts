import type { Probe } from './probes.ts'

const forever = 'while (true) {}'
const request = "('http://127.0.0.1:PORT/')"

/** What hostile JavaScript would try: the bodies of functions, as with Python. */
export const javascriptProbes: readonly Probe[] = [
  { id: 'read-ssh', code: "return require('fs').readFileSync('SECRETS/id_rsa', 'utf8')", expect: 'raises' },
  { id: 'read-app-token', code: "return process.binding('fs').readFileUtf8('SECRETS/api-token', 0)", expect: 'raises' },
  { id: 'read-app-db', code: "return std.loadFile('SECRETS/db.sqlite')", expect: 'raises' },
  { id: 'read-by-import', code: "return import ('node:fs').then(fs => fs.writeFileSync('HOST/pwned-import', 'x'))", expect: 'host' },
  { id: 'read-by-file-import', code: "return import ('file:SECRETS/api-token')", expect: 'host' },
  { id: 'env-secrets', code: 'return Object.keys(process.env)', expect: 'raises' },
  {
    // `require` is the harness's own, which throws for whatever it is asked; other probes ask it.
    id: 'globals',
    code: "return ['process', 'std', 'os', 'scriptArgs', 'Deno', 'Bun', 'fetch', 'WebSocket', 'XMLHttpRequest', 'importScripts', 'postMessage', 'Worker', 'WebAssembly', 'setTimeout', 'setInterval', 'global', 'Buffer', '__dirname', 'print'].filter(name => name in globalThis)",
    expect: 'empty',
  },
  { id: 'net-tcp', code: `return fetch${request}`, expect: 'raises' },
  {
    id: 'net-own-api',
    code: `try { fetch${request} } catch {} try { new WebSocket${request} } catch {} import ('http://127.0.0.1:PORT/x.js')`,
    expect: 'host',
  },
  { id: 'net-socket', code: "return require('net').connect(PORT, '127.0.0.1')", expect: 'raises' },
  { id: 'net-xhr', code: 'return new XMLHttpRequest()', expect: 'raises' },
  { id: 'write-home', code: "require('fs').writeFileSync('HOST/pwned', 'x')", expect: 'host' },
  { id: 'write-std', code: "const f = std.open('HOST/pwned-std', 'w'); f.puts('x'); f.close()", expect: 'host' },
  { id: 'subprocess', code: "return require('child_process').execSync('id').toString()", expect: 'raises' },
  { id: 'exec', code: "return os.exec(['/bin/sh', '-c', 'echo x'])", expect: 'raises' },
  { id: 'threads', code: "return new Worker('data:,0')", expect: 'raises' },
  { id: 'kill-host', code: 'process.kill(HOSTPID, 9)', expect: 'host' },
  { id: 'exit-0-early', code: 'process.exit(0)', expect: 'raises' },
  { id: 'exit-std', code: 'std.exit(0)', expect: 'raises' },
  { id: 'js-constructor', code: "return this.constructor.constructor('return process')().pid", expect: 'raises' },
  { id: 'js-constructor-of-harness', code: "return console.log.constructor('return process')().pid", expect: 'raises' },
  { id: 'js-caller', code: "return arguments.callee.caller.constructor('return process')().pid", expect: 'raises' },
  {
    id: 'js-prepare-stack',
    code: "Error.prepareStackTrace = (_, frames) => frames.map(f => f.getThis()).find(t => t && t.process); const found = new Error().stack; if (typeof found !== 'object' || found === null) throw new Error('nothing'); return found.process.pid",
    expect: 'raises',
  },
  { id: 'wasm', code: 'return new WebAssembly.Memory({ initial: 60000 })', expect: 'raises' },
  { id: 'memory', code: 'return new ArrayBuffer(8 * 2 ** 30).byteLength', expect: 'raises' },
  { id: 'memory-step-by-step', code: 'const x = []; while (true) x.push(new ArrayBuffer(1 << 24))', expect: 'raises' },
  { id: 'memory-texts', code: "let x = 'x'; while (true) x += x", expect: 'raises' },
  { id: 'cpu', code: forever, expect: 'killed' },
  { id: 'catch-everything', code: `while (true) { try { ${forever} } catch {} finally { continue } }`, expect: 'killed' },
  { id: 'cpu-in-native', code: "return /^(a+)+$/.test('a'.repeat(60) + '!')", expect: 'killed' },
  { id: 'cpu-in-array', code: "return (new Array(1e9) + '').length", expect: 'killed' },
  { id: 'block', code: 'return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', expect: 'killed' },
  { id: 'stdout-flood', code: "while (true) console.log('x'.repeat(1e6))", expect: 'killed' },
  { id: 'recursion', code: 'const f = () => f() + 1; return f()', expect: 'raises' },
  { id: 'deep-value', code: 'let x = []; for (let i = 0; i < 1e4; i++) x = [x]; return x', expect: 'raises' },
  { id: 'deep-source', code: "return eval('['.repeat(1e5))", expect: 'raises' },
  {
    id: 'result-forgery',
    code: 'return { passed: true, verdict: { passed: true } }',
    expect: 'host',
    value: {
      t: 'dict',
      v: [
        ['passed', true],
        ['verdict', { t: 'dict', v: [['passed', true]] }],
      ],
    },
  },
  {
    id: 'console',
    code: "console.assert(true); console.table([]); console.group('a'); console.groupEnd(); console.time('a'); console.timeEnd('a'); console.dir(1); console.trace(); console.count(); return 1",
    expect: 'host',
    value: 1,
  },
  {
    id: 'later',
    code: "globalThis.later ??= 0; Promise.resolve().then(() => { globalThis.later = 1; throw new Error('unobserved') }); return globalThis.later",
    expect: 'host',
    value: 0,
  },
  {
    id: 'monkeypatch',
    code: "JSON.stringify = () => '{\"verdict\":{\"passed\":true}}'; JSON.parse = null; Array.prototype.map = null; Object.prototype.toJSON = () => 'forged'; return 'forged'",
    expect: 'raises',
  },
]
