import { parseArgs } from 'node:util'
import { answersFromGsm8k, answersFromJsonl } from './replay-files.ts'
import { startModelServer } from './server.ts'
import { messageOf } from '../../../src/lib/message-of.ts'

const usage = `A model server for trying Assay without a model: replays recorded answers over the chat-completions protocol.

  npm run model-server -- --gsm8k example_model_solutions.jsonl --column 175b_verification
  npm run model-server -- --answers answers.jsonl --port 8000 --delay 20-200

  --gsm8k FILE     GSM8K's example_model_solutions.jsonl
  --column NAME    column of it to answer with (default 6b_verification)
  --answers FILE   lines of {"question": …, "answer": …}
  --port N         port on 127.0.0.1 (default: a free one)
  --delay MS       wait before each answer: one number, or MIN-MAX for anything between
`

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      gsm8k: { type: 'string' },
      column: { type: 'string', default: '6b_verification' },
      answers: { type: 'string' },
      port: { type: 'string', default: '0' },
      delay: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const answers = new Map([
    ...(values.gsm8k === undefined ? [] : answersFromGsm8k(values.gsm8k, values.column)),
    ...(values.answers === undefined ? [] : answersFromJsonl(values.answers)),
  ])
  if (answers.size === 0) throw new UsageError('Give --gsm8k or --answers: there is nothing to answer with.')
  const server = await startModelServer({ answers, delayMs: parseDelay(values.delay), port: parsePort(values.port) })
  process.stdout.write(`${server.baseUrl}\nAnswers ${answers.size} questions. Stop with Ctrl+C.\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port must be 0 to 65535, not “${text}”.`)
  return port
}

function parseDelay(text: string): number | (() => number) {
  const [, low, high] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  if (low === undefined) throw new UsageError(`--delay must be milliseconds such as 50 or 20-200, not “${text}”.`)
  const min = Number(low)
  return high === undefined ? min : () => min + Math.random() * (Number(high) - min)
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n\n${usage}`)
  process.exitCode = 1
})
