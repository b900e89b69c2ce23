import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { program } from '../support/program.ts'
import { temporaryFolder } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const Workflow = z.object({
  jobs: z.object({ evaluate: z.object({ steps: z.array(z.object({ name: z.string().optional(), run: z.string().optional() })) }) }),
})
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const folder = temporaryFolder()
afterAll(() => folder.remove())

const { jobs } = Workflow.parse(parse(readFileSync(join(root, 'resources/ci/github-workflow.yml'), 'utf8')))

/** Runs a step as the runner does. The step that installs Assay is replaced by this checkout's own program. */
async function step(name: string): Promise<{ code: number | null; output: string }> {
  const script = jobs.evaluate.steps.find(one => one.name === name)?.run
  if (script === undefined) throw new Error(`The workflow has no step "${name}".`)
  const env = { ...process.env, PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`, GITHUB_STEP_SUMMARY: summary }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await once(child, 'close')
  return { code: child.exitCode, output }
}

const summary = join(folder.path, 'summary.md')
const config = (model: string) =>
  writeFileSync(
    join(folder.path, 'assay.yaml'),
    `version: 1\nname: Pull request\nmodel: ${model}\nbenchmarks: [arithmetic-word-problems]\ncoverage: {sample: 120, seed: 7}\n`,
  )

test('calls a program that hands over to the command line', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'src/headless/assay.mjs'), '--version'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` })
})

test('fails a pull request that regresses, and passes one that does not', async () => {
  mkdirSync(join(folder.path, 'bin'))
  writeFileSync(join(folder.path, 'bin/assay'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  config('assay/oracle-90')
  expect(await step('Baseline')).toMatchObject({ code: 0 })
  expect(await step('Evaluate')).toMatchObject({ code: 0 })
  config('assay/oracle-50')
  const { code, output } = await step('Evaluate')
  expect(output).toContain('FAIL')
  expect(code).toBe(100)
  expect(readFileSync(join(folder.path, 'junit.xml'), 'utf8')).toContain('<testsuites name="Pull request" tests="120"')
  const text = readFileSync(summary, 'utf8')
  expect(text).toContain('❌ failed')
  expect(text).toMatch(/├─*●─*┤/)
  expect(text).toContain('- Worse: awp-')
  expect(text).toContain('Cost: $0.00 charged')
})
