import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { workersEndpoints } from '../../contract/workers/workers.endpoints.ts'
import { verdictParserVersion } from '../../engine/grading/judges/parse-verdict.ts'
import { codeScorers } from '../../engine/grading/scorers/code/code-scorers.ts'
import { scorers } from '../../engine/grading/scorers/registry.ts'
import { lazily } from '../../lib/lazily.ts'
import { appVersion } from '../version.ts'

/**
 * The version with a digest of what workers and the service exchange and of the versions of its scorers, e.g. `0.1.0+5f3a9c01b2d4`: two
 * builds of one version may differ in them.
 */
export const buildVersion = lazily(() => {
  const endpoints: readonly Endpoint[] = Object.values(workersEndpoints)
  const schemas = endpoints.flatMap(({ path, body, response }) => [
    path,
    ...[body, response].map(schema =>
      schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : null,
    ),
  ])
  const grading = [...scorers.values(), ...codeScorers.values()].map(({ id, version }) => `${id}@${version}`).sort()
  const digest = createHash('sha256')
    .update(JSON.stringify([schemas, grading, verdictParserVersion]))
    .digest('hex')
  return `${appVersion}+${digest.slice(0, 12)}`
})
