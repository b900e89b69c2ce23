import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { addCommands } from '../../../src/headless/commands/add-commands.ts'
import { readWorkerOptions, WorkerFlags } from '../../../src/headless/worker/worker-options.ts'

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
})
const Compose = z.object({ services: z.record(z.string(), Service) })
const text = readFileSync(new URL('../../../resources/team/compose.yaml', import.meta.url), 'utf8')
const given: Readonly<Record<string, string>> = {
  QUEUE_PASSWORD: 'p4ss',
  ASSAY_KEY: 'asy_key',
  ASSAY_ORIGIN: 'https://eval.example:4747',
  ASSAY_FOLDER: '/opt/assay',
}
const { services } = Compose.parse(
  parse(
    text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => given[name] ?? ''),
    { merge: true },
  ),
)

test('describes PostgreSQL and two workers that the command line accepts', () => {
  expect(Object.keys(services)).toEqual(['queue', 'worker-1', 'worker-2'])
  expect(services['queue']?.image).toMatch(/^postgres:\d+$/)
  for (const name of ['worker-1', 'worker-2']) {
    const { command = [], environment = {} } = services[name] ?? {}
    expect(command.slice(0, 3)).toEqual(['node', 'src/headless/cli.ts', 'worker'])
    expect(readWorkerOptions(parseWorker(command.slice(3)), environment)).toMatchObject({
      name,
      join: 'https://eval.example:4747',
      queue: 'postgres://assay:p4ss@queue:5432/assay',
      key: 'asy_key',
      labels: ['code'],
    })
  }
})

test.each([
  [['--join=http://eval.example:4747'], {}, '--join takes https://'],
  [['--join=https://eval.example', '--labels=Code'], {}, 'not "Code"'],
  [['--join=https://eval.example'], { ASSAY_KEY: '' }, 'workers:run'],
  [['--join=https://eval.example'], { ASSAY_QUEUE: 'mysql://queue/assay' }, '--queue takes postgres://'],
  [['--join=https://eval.example', '--secret-env=ASSAY_KEY'], {}, 'go together'],
  [
    ['--join=https://eval.example', '--secret-env=ASSAY_KEY', '--secret-origin=https://m.example', '--secret-header=Host'],
    {},
    'not "Host"',
  ],
])('refuses %s %s', (flags, more, message) => {
  const env = { ASSAY_KEY: 'asy_key', ASSAY_QUEUE: 'postgres://assay:p4ss@queue/assay', ...more }
  expect(() => readWorkerOptions(parseWorker(flags), env)).toThrow(message)
})

test('reads the header that an endpoint wants the key in', () => {
  const flags = ['--secret-env=AZURE_KEY', '--secret-origin=https://m.example', '--secret-header=api-key']
  const env = { ASSAY_KEY: 'asy_key', ASSAY_QUEUE: 'postgres://assay@queue/assay', AZURE_KEY: 'k' }
  const { secret } = readWorkerOptions(parseWorker(['--join=https://eval.example', ...flags]), env)
  expect(secret).toEqual({ value: 'k', origin: 'https://m.example', header: 'api-key' })
})

/** The flags as the command line reads them. */
function parseWorker(args: readonly string[]): WorkerFlags {
  const program = new Command().exitOverride()
  addCommands(program, () => undefined)
  const worker = program.commands.find(command => command.name() === 'worker')
  if (!worker) throw new Error('The program has no command "worker".')
  worker.exitOverride().parseOptions([...args])
  return WorkerFlags.parse(worker.opts())
}
