import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { temporaryFolder } from '../support/service.ts'

const Body = z.object({ messages: z.array(z.object({ content: z.string() })), max_tokens: z.number().optional() })

/**
 * The same prompts by promptfoo, with one assertion on each answer, its cache off and nothing sent anywhere else.
 * @param installedIn folder whose `node_modules` holds it
 */
export async function measurePromptfoo(
  installedIn: string,
  baseUrl: string,
  bodies: readonly string[],
  samples: number,
  concurrency: number,
): Promise<{ seconds: number; cpuMs: null }> {
  const program = join(installedIn, 'node_modules/.bin/promptfoo')
  if (!existsSync(program)) throw new Error(`promptfoo is not installed in ${installedIn}. Run "npm install promptfoo" there.`)
  const folder = temporaryFolder()
  try {
    const prompts = bodies.map(body =>
      Body.parse(JSON.parse(body))
        .messages.map(({ content }) => content)
        .join('\n\n'),
    )
    const config = {
      prompts: ['{{prompt}}'],
      providers: [{ id: 'openai:chat:replay', config: { apiBaseUrl: baseUrl, apiKey: 'none', temperature: 0, max_tokens: 1024 } }],
      tests: Array.from({ length: samples }, (_, i) => ({
        vars: { prompt: prompts[i % prompts.length] },
        assert: [{ type: 'contains', value: '13' }],
      })),
    }
    const path = join(folder.path, 'promptfooconfig.json')
    writeFileSync(path, JSON.stringify(config))
    const started = performance.now()
    const { stdout } = await promisify(execFile)(
      program,
      ['eval', '-c', path, '-j', String(concurrency), '--no-cache', '--no-progress-bar', '--no-table', '-o', join(folder.path, 'out.json')],
      {
        cwd: folder.path,
        maxBuffer: 2 ** 28,
        env: {
          ...process.env,
          PROMPTFOO_CONFIG_DIR: folder.path,
          PROMPTFOO_DISABLE_TELEMETRY: '1',
          PROMPTFOO_DISABLE_UPDATE: '1',
          PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
        },
      },
    )
    const seconds = (performance.now() - started) / 1000
    if (!existsSync(join(folder.path, 'out.json'))) throw new Error(`promptfoo wrote no results: ${stdout.slice(-500)}`)
    return { seconds, cpuMs: null }
  } finally {
    folder.remove()
  }
}
