import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const root = fileURLToPath(new URL('../..', import.meta.url))

const Audit = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string(), range: z.string() })])),
    }),
  ),
})

/** A known vulnerability of a package that ships with Assay. */
export interface Advisory {
  readonly name: string
  readonly severity: z.infer<typeof Audit>['vulnerabilities'][string]['severity']
  readonly title: string
  readonly url: string
}

/** Asks the configured registry for advisories of what ships; the reason where it cannot be asked. */
export async function readAdvisories(
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly Advisory[] | { readonly unavailable: string }> {
  const audit = spawn('npm', ['audit', '--json', '--omit=dev', '--package-lock-only', '--fetch-retries=0'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const [said, complaint] = await Promise.all([text(audit.stdout), text(audit.stderr), once(audit, 'close')])
  const parsed = Audit.safeParse(jsonOf(said))
  if (!parsed.success) return { unavailable: `The registry's advisories could not be read: ${(complaint || said).trim().slice(0, 300)}` }
  return Object.entries(parsed.data.vulnerabilities).flatMap(([name, { severity, via }]) =>
    via.flatMap(one => (typeof one === 'string' ? [] : [{ name, severity, title: one.title, url: one.url }])),
  )
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return null
  }
}
