import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import type { Task } from '../../../../tasks/task.ts'
import type { Action } from '../../environment.ts'

const taskCount = 100
type Files = Readonly<Record<string, string>>

/** What a kind of job asks for, begins with, should end with, and how. */
interface Job {
  readonly kind: string
  readonly instruction: string
  readonly before: Files
  readonly after: Files
  readonly actions: readonly Action[]
}

/** @param seed 32-bit integer; part of the version, since another seed gives other files */
export function generate(version: string, seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const kinds = [total, setting, rename, archive, merge]
  const tasks = Array.from({ length: taskCount }, (_, i) => taskOf((kinds[i % kinds.length] ?? total)(draw), i + 1))
  return { version, tasks, shots: [] }
}

function taskOf({ kind, instruction, before, after, actions }: Job, number: number): Task {
  return {
    id: `files-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { instruction },
    targets: ['done'],
    choices: null,
    metadata: { kind, setup: { files: before }, goal: { files: after }, reference_actions: actions },
    capabilities: ['working with files', 'tool use'],
    dependsOn: [],
  }
}

const read = (path: string): Action => ({ tool: 'read_file', arguments: { path } })
const write = (path: string, content: string): Action => ({ tool: 'write_file', arguments: { path, content } })
const list: Action = { tool: 'list_files', arguments: {} }
const months = ['january', 'february', 'march', 'april', 'may', 'june'] as const
const goods = ['bolts', 'cable', 'gloves', 'lamps', 'paint', 'pipes', 'screws', 'tape'] as const
const words = ['anchor', 'basil', 'copper', 'delta', 'ember', 'fjord', 'garnet', 'harbor', 'indigo', 'juniper', 'kelp', 'lilac'] as const

/** Add a column up. */
function total(draw: Draw): Job {
  const chosen = draw.sample(months, 2)
  const [month = 'may'] = chosen
  const tables = chosen.map(name => draw.sample(goods, 5).map(item => ({ name, item, amount: draw.int(3, 400) })))
  const files = Object.fromEntries(
    chosen.map((name, i) => [
      `sales/${name}.csv`,
      `item,amount\n${(tables[i] ?? []).map(({ item, amount }) => `${item},${amount}`).join('\n')}\n`,
    ]),
  )
  const sum = (tables[0] ?? []).reduce((all, { amount }) => all + amount, 0)
  const report = `report-${month}.txt`
  return {
    kind: 'add up',
    instruction: `Add up the amounts in the sales file of ${month} and write the total, the number alone, to ${report}.`,
    before: files,
    after: { ...files, [report]: `${sum}\n` },
    actions: [list, read(`sales/${month}.csv`), write(report, `${sum}\n`)],
  }
}

/** Change one setting and leave the rest. */
function setting(draw: Draw): Job {
  const names = draw.sample(words, 4)
  const [name = 'delta'] = names
  const lines = (value: number | null) =>
    names.map((key, i) => `${key} = ${key === name && value !== null ? value : 10 * (i + 1) + names.length}`)
  const value = draw.int(100, 999)
  const comment = '# Read at start. One setting a line.\n'
  const before = { 'config/app.conf': `${comment}${lines(null).join('\n')}\n`, 'README.md': 'Settings are in config/app.conf.\n' }
  const changed = `${comment}${lines(value).join('\n')}\n`
  return {
    kind: 'change a setting',
    instruction: `Set ${name} to ${value} in the application’s configuration. Change nothing else.`,
    before,
    after: { ...before, 'config/app.conf': changed },
    actions: [list, read('config/app.conf'), write('config/app.conf', changed)],
  }
}

/** Rename a word wherever it is used. */
function rename(draw: Draw): Job {
  const [from = 'kelp', to = 'lilac', ...others] = draw.sample(words, 6)
  const source = (name: string) => ({
    'src/main.txt': `start ${name}\nuse ${others[0]}\nstop ${name}\n`,
    'src/extra.txt': `load ${others[1]}\ncall ${name}\n`,
    'src/unrelated.txt': `keep ${others[2]}\nkeep ${others[3]}\n`,
  })
  const after = source(to)
  return {
    kind: 'rename',
    instruction: `In the files under src, ${from} is now called ${to}. Replace the word wherever it is used.`,
    before: source(from),
    after,
    actions: [
      list,
      ...Object.keys(after).map(read),
      write('src/main.txt', after['src/main.txt']),
      write('src/extra.txt', after['src/extra.txt']),
    ],
  }
}

/** Move the files of one year away. */
function archive(draw: Draw): Job {
  const year = draw.int(2019, 2024)
  const [a = 'bolts', b = 'cable', c = 'tape'] = draw.sample(goods, 3)
  const old = [`logs/${year}-${a}.log`, `logs/${year}-${b}.log`]
  const kept = { [`logs/${year + 1}-${c}.log`]: `${c} ok\n`, [`notes/${year}-${a}.md`]: `About ${a}.\n` }
  const contents = [`${a} ok\n`, `${b} failed\n`]
  const moved = (path: string) => path.replace('logs/', 'archive/')
  const place = (rename: (path: string) => string) => Object.fromEntries(old.map((path, i) => [rename(path), contents[i] ?? '']))
  return {
    kind: 'move',
    instruction: `Move the log files of ${year} from logs to archive, each under its own name. Leave everything else where it is.`,
    before: { ...place(path => path), ...kept },
    after: { ...place(moved), ...kept },
    actions: [list, ...old.map(path => ({ tool: 'move_file', arguments: { path, to: moved(path) } }))],
  }
}

/** Merge two lists into one, sorted, each entry once. */
function merge(draw: Draw): Job {
  const first = draw.sample(words, 5)
  const second = draw.sample(words, 5)
  const before = { 'lists/first.txt': `${first.join('\n')}\n`, 'lists/second.txt': `${second.join('\n')}\n` }
  const merged = `${[...new Set([...first, ...second])].sort().join('\n')}\n`
  return {
    kind: 'merge',
    instruction:
      'Write every word of the two lists to lists/all.txt: each once, in alphabetical order, one a line. Then delete the two lists.',
    before,
    after: { 'lists/all.txt': merged },
    actions: [
      list,
      ...Object.keys(before).map(read),
      write('lists/all.txt', merged),
      ...Object.keys(before).map(path => ({ tool: 'delete_file', arguments: { path } })),
    ],
  }
}
