import type { FastifyInstance } from 'fastify'
import { connections, datasets, imports, packages, traces } from './data.ts'
import { evaluators, recommendations, releases, remoteScorers, suites, tuning } from './decisions.ts'
import type { Example } from './example.ts'
import { answers, calibrations, judges, monitors, traceBenchmarks } from './grading.ts'
import { backups, billing, keys } from './upkeep.ts'

/** By the name in the address. */
const examples: Readonly<Record<string, Example>> = {
  imports,
  connections,
  suites,
  recommendations,
  evaluators,
  calibrations,
  judges,
  'remote-scorers': remoteScorers,
  datasets,
  answers,
  releases,
  packages,
  traces,
  'trace-benchmarks': traceBenchmarks,
  tuning,
  monitors,
  keys,
  billing,
  backups,
}

const preface = `Send Authorization, X-Workspace-ID and Content-Type as /docs/agents says. Names in capitals stand for what an earlier step answered.`

const pageOf = ({ title, steps }: Example) => `# ${title}\n\n${preface}\n\n${steps.map((step, i) => `${i + 1}. ${step}\n`).join('\n')}`

const list = `# Worked examples

Each page has the requests of one area, in order, with bodies that work. From a quote to a comparison: /docs/agents

${Object.entries(examples)
  .map(([name, { title }]) => `- [${title}](/docs/examples/${name})`)
  .join('\n')}
`

/** Serves a worked example for each area, as plain text. `test/api/worked-examples.test.ts` sends what the pages say. */
export function serveExamples(http: FastifyInstance): void {
  const type = 'text/plain; charset=utf-8'
  http.get('/docs/examples', async (_request, reply) => reply.type(type).send(list))
  for (const [name, example] of Object.entries(examples))
    http.get(`/docs/examples/${name}`, async (_request, reply) => reply.type(type).send(pageOf(example)))
}
