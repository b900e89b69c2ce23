import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { program } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const preload = new URL('../../support/without-postgres.ts', import.meta.url).href

/** What the service prints, up to being ready or its end. */
async function serve(...options: readonly string[]): Promise<string> {
  const folder = temporaryFolder()
  const child = spawn(
    process.execPath,
    ['--import', preload, program, 'serve', '--data-dir', folder.path, '--port', '0', '--no-ui', ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const gone = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      printed += `${line}\n`
      if (line.startsWith('Assay is ready')) child.kill('SIGTERM')
    })
  await gone
  folder.remove()
  return printed
}

test('loads nothing of PostgreSQL without --queue', async () => {
  expect(await serve()).toContain('Assay is ready')
  const queue = ['--allow-remote', '--behind-proxy', 'https://eval.example', '--queue', 'postgres://assay:secret@127.0.0.1:1/none']
  expect(await serve(...queue)).toContain('pg-boss was loaded')
})

test('names a queue that does not respond, without its password', async () => {
  const { openJobQueue } = await import('../../../src/service/workers/job-queue.ts')
  const opening = openJobQueue({ url: 'postgres://assay:secret@127.0.0.1:1/none', role: 'service', onError: () => undefined })
  const error = await opening.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(String(error)).toContain('127.0.0.1:1/none')
  expect(String(error)).not.toContain('secret')
})
