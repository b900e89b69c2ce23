import type { BodyExamples } from '../body-examples.ts'
import type { networkEndpoints } from './network.endpoints.ts'

export const networkExamples: BodyExamples<typeof networkEndpoints> = {
  setProxy: { mode: 'proxy', url: 'http://proxy.example:3128', except: ['models.internal.example', '10.0.0.0/8'] },
}
