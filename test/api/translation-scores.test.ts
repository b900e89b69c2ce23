import { afterAll, beforeAll, expect, test } from 'vitest'
import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const pairs = [
  ['国务院总理李克强在会上发表了讲话。', '国务院总理李克强在会议上讲话。'],
  ['他买了3.5公斤苹果,花了20元(人民币)。', '他花20元人民币买了3.5公斤的苹果。'],
] as const

const send = (name: string, metrics: readonly { readonly scorer: string; readonly options: object }[]) =>
  importFiles(service, { name, format: 'jsonl', mapping: '{"id":"id"}', profile: JSON.stringify({ metrics }) }, [
    {
      name: 'rows.jsonl',
      content: pairs.map(([, target], i) => JSON.stringify({ id: `t${i}`, input: `Translate ${i}.`, target })).join('\n'),
    },
  ])

test('BLEU and chrF of Chinese are sacrebleu’s, with signature and caution in results and report', async () => {
  await send('Chinese', [
    { scorer: 'sacrebleu/bleu', options: { tokenize: 'zh' } },
    { scorer: 'sacrebleu/bleu', options: { tokenize: '13a' } },
    { scorer: 'sacrebleu/chrf', options: {} },
  ])
  const outputs = pairs.map(([output], i) => JSON.stringify({ task_id: `t${i}`, output })).join('\n')
  const { runs } = await importAnswers(service, { profile_id: await profileId(service.client, 'chinese', 'zero-shot'), model: 'm' }, [
    { name: 'outputs.jsonl', content: outputs },
  ])
  const run_id = runs[0]?.run_id ?? ''
  const { metrics } = await service.client.call('getRunResults', { params: { run_id } })
  // By sacrebleu 2.6.0.
  expect(metrics.map(({ estimate, signature }) => [Number(((estimate.mean ?? 0) * 100).toFixed(4)), signature])).toEqual([
    [48.3973, 'nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0'],
    [0, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    [51.4979, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0'],
  ])
  const unsplit = 'references in a script without blanks between words'
  expect(metrics.map(({ estimate }) => estimate.cautions.some(caution => caution.includes(unsplit)))).toEqual([false, true, false])
  const html = await (await service.fetch(`/v1/runs/${run_id}/export?format=html`)).text()
  expect(html).toContain('tok:zh')
  expect(html).toContain(unsplit)
})

test('a tokenizer that needs a dictionary is refused by what to choose instead', async () => {
  const japanese = send('Japanese', [{ scorer: 'sacrebleu/bleu', options: { tokenize: 'ja-mecab' } }])
  await expect(japanese).rejects.toThrow(/ja-mecab.*which needs a dictionary/)
})
