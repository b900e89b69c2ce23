import { contentText } from '../../../contract/messages/message-text.ts'
import type { ModelClient } from '../../clients/model-client.ts'
import { wordsIn } from '../baselines/answer-form.ts'
import { scriptedAnswer } from '../environments/scripted-answer.ts'

/** A judge for trying calibration without a provider. It is offered nowhere, only named. */
export const simulatedJudge = { routeId: 'assay/simulated-judge', title: 'Simulated judge' } as const

/** Share of the reference's words that an output must have. */
const enough = 0.6

/** Reads the question as any judge gets it and counts words: no model, and wrong wherever words alone mislead. */
export function createSimulatedJudge(): ModelClient {
  return {
    call: ({ messages }) => Promise.resolve(scriptedAnswer(judge(contentText(messages.at(-1)?.content ?? '')))),
    probe: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  }
}

function judge(question: string): string {
  const [, output = '', reference = ''] = [...question.matchAll(/<<<([0-9a-f]+)\n([\s\S]*?)\n\1>>>/g)].map(match => match[2])
  const [passes = '', fails = ''] = [...question.slice(question.lastIndexOf('The verdicts:')).matchAll(/^- ([^:\n]+)/gm)].map(
    match => match[1],
  )
  const said = new Set(wordsIn(output.toLowerCase()))
  const wanted = [...new Set(wordsIn(reference.toLowerCase()))]
  const found = wanted.filter(word => said.has(word)).length
  return `The output has ${found} of the ${wanted.length} words of the reference answer.\nVERDICT: ${found >= enough * wanted.length ? passes : fails}`
}
