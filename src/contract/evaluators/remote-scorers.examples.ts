import type { BodyExamples } from '../body-examples.ts'
import type { remoteScorersEndpoints } from './remote-scorers.endpoints.ts'

export const remoteScorersExamples: BodyExamples<typeof remoteScorersEndpoints> = {
  createRemoteScorer: { name: 'House style', url: 'https://scorer.example.com/score', timeout_ms: 10_000 },
  updateRemoteScorer: { max_concurrency: 4 },
}
