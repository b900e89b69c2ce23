import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Package } from '../../src/contract/creator/packages.schemas.ts'
import { ensureNamespace, manifest, packageEnd, packageZip, reviewsOf } from '../support/packages.ts'
import { everySandbox, inScope } from '../support/sandbox-scope.ts'
import { startTestService } from '../support/service.ts'
import { patience } from '../support/machine-speed.ts'

const mbpp = new URL('../../../shared/data/mbpp/sanitized-mbpp.json', import.meta.url)
const file = new URL('../../../shared/data/humaneval/HumanEval.jsonl.gz', import.meta.url)

describe.skipIf(!existsSync(file))('HumanEval as a package (skipped where ../shared/data/humaneval is absent)', () => {
  // The grader itself is held to all 164 of them in each run of the tests (`published.test.ts`).
  const scope = everySandbox ? '164 of 164 reference solutions' : 'each eighth of the 164 reference solutions (all in npm run test:sandbox)'
  test(`has ${scope} right in the sandbox`, { timeout: 300_000 * patience() }, async () => {
    const published = gunzipSync(readFileSync(file))
      .toString('utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Record<string, string>) // the published form
    expect(published).toHaveLength(164)
    const rows = inScope(published).map(row => ({ ...row, solution: `\`\`\`python\n${row['prompt']}${row['canonical_solution']}\n\`\`\`` }))
    const [profile] = manifest().profiles
    if (!profile) throw new Error('The manifest has no profile.')
    expect(rows).toHaveLength(everySandbox ? 164 : 21)
    await using service = await startTestService()
    await ensureNamespace(service.client)
    const metrics = [{ id: 'base_tests', scorer: 'evalplus/base', options: {}, primary: true, binary: true }]
    const zip = packageZip(rows, {
      name: 'human-eval',
      license: 'MIT',
      runner: 'evalplus',
      derived_from: ['eval://openai/humaneval'],
      fields: { id: 'task_id', input: 'prompt', reference: 'solution' },
      profiles: [{ ...profile, metrics }],
    })
    const form = new FormData()
    form.append('file', new Blob([zip]), 'humaneval.zip')
    const sent = await service.fetch('/v1/creator/packages', { method: 'POST', body: form })
    const ended = await packageEnd(service.client, Package.parse(await sent.json()), 280_000 * patience())
    const { reference, trivial_answers, sandbox } = await reviewsOf(service.client, ended.id)
    expect({ reference, trivial_answers, sandbox }).toMatchObject({
      reference: { outcome: 'pass', figures: { tasks: rows.length, right: rows.length } },
      trivial_answers: { outcome: 'pass' },
      sandbox: { outcome: 'pass' },
    })
  })
})

// Only in npm run test:sandbox, since each program runs five times; `published.test.ts` grades a fourth of them in every test run.
describe.runIf(everySandbox && existsSync(mbpp))('sanitized MBPP as a package', () => {
  test('has 427 of 427 reference programs right, and its two repeated tasks warn', { timeout: 900_000 * patience() }, async () => {
    const published = JSON.parse(readFileSync(mbpp, 'utf8')) as { task_id: number; prompt: string; code: string; test_list: string[] }[] // the published form
    const rows = published.map(({ task_id, prompt, code, ...row }) => ({
      ...row,
      task_id: String(task_id),
      question: prompt,
      prompt: '',
      entry_point: [...code.matchAll(/^(?:def|class)\s+(\w+)|^(\w+)\s*=/gm)]
        .map(([, defined, assigned]) => defined ?? assigned ?? '')
        .findLast(name => row.test_list.join('\n').includes(name)),
      solution: `\`\`\`python\n${code}\n\`\`\``,
    }))
    const [profile] = manifest().profiles
    if (!profile) throw new Error('The manifest has no profile.')
    await using service = await startTestService()
    await ensureNamespace(service.client)
    const zip = packageZip(rows, {
      name: 'sanitized-mbpp',
      runner: 'evalplus_mbpp',
      fields: { id: 'task_id', input: 'question', reference: 'solution' },
      profiles: [{ ...profile, metrics: [{ id: 'base_tests', scorer: 'evalplus/base', options: {}, primary: true, binary: true }] }],
    })
    const form = new FormData()
    form.append('file', new Blob([zip]), 'mbpp.zip')
    const sent = await service.fetch('/v1/creator/packages', { method: 'POST', body: form })
    const ended = await packageEnd(service.client, Package.parse(await sent.json()), 880_000 * patience())
    const { reference, trivial_answers, exact_duplicates } = await reviewsOf(service.client, ended.id)
    expect({ reference, trivial_answers, exact_duplicates }).toMatchObject({
      reference: { outcome: 'pass', figures: { tasks: 427, right: 427 } },
      trivial_answers: { outcome: 'pass' },
      exact_duplicates: { outcome: 'warn', figures: { duplicates: 2 } },
    })
  })
})
