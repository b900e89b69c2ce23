import type { BodyExamples } from '../body-examples.ts'
import type { packagesEndpoints } from './packages.endpoints.ts'

export const packagesExamples: BodyExamples<typeof packagesEndpoints> = {
  createPackage: {
    manifest: {
      format: 'assay.package/1',
      namespace: 'acme-lab',
      name: 'capitals',
      version: '1.0.0',
      title: 'Capitals',
      summary: 'Capital cities of countries.',
      license: 'CC-BY-4.0',
      creators: [{ name: 'ACME Lab' }],
      languages: ['en'],
      capabilities: ['knowledge'],
      runner: 'inspect',
      fields: { id: 'id', input: 'question', target: 'answer' },
      profiles: [
        {
          key: 'direct',
          title: 'Direct answer',
          prompt_template: '{input}\nAnswer with one word.',
          generation: { temperature: 0, max_output_tokens: 20 },
          metrics: [{ id: 'accuracy', scorer: 'inspect_ai/match', options: {}, primary: true }],
        },
      ],
    },
    tasks: {
      test: Object.entries({
        France: 'Paris',
        Japan: 'Tokyo',
        Kenya: 'Nairobi',
        Peru: 'Lima',
        Norway: 'Oslo',
        Egypt: 'Cairo',
        Cuba: 'Havana',
        Ghana: 'Accra',
        Nepal: 'Kathmandu',
        Chile: 'Santiago',
      }).map(([country, answer], i) => ({ id: `${i + 1}`, question: `What is the capital of ${country}?`, answer })),
    },
    dry_run: true,
  },
  createPackageReview: { outcome: 'approve', note: 'Read 20 sampled tasks; targets and prompts are right.' },
  quarantinePackage: { note: 'Task 17 has two right answers.' },
}
