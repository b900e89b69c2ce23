import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countingJob } from '../support/counting-job.ts'
import { handlerOf, jobsOn, workspaces } from '../support/jobs.ts'
import { temporaryFolder } from '../support/service.ts'

const program = fileURLToPath(new URL('../support/jobs-process.ts', import.meta.url))

test('a job resumes from its checkpoint after SIGKILL, and writes each row once', async () => {
  const folder = temporaryFolder()
  const path = `${folder.path}/assay.db`
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const id = String(line)
  child.kill('SIGKILL')
  await gone

  const { db, jobs } = jobsOn(path)
  expect(jobs.read(workspaces[0], id)).toMatchObject({ state: 'running', attempt: 1 })
  jobs.register(handlerOf('backup', { run: countingJob(db, null, () => {}) }))
  jobs.start()
  await expect.poll(() => jobs.read(workspaces[0], id).state).toBe('succeeded')
  expect(jobs.read(workspaces[0], id)).toMatchObject({ attempt: 2, progress: { done: 10, total: 10 } })
  const rows = db.prepare(`select name, value from settings where name like 'row %' order by length(name), name`).all()
  expect(rows).toEqual(Array.from({ length: 10 }, (_, i) => ({ name: `row ${i + 1}`, value: i < 5 ? '1' : '2' })))
  await jobs.close()
  db.close()
  folder.remove()
})
