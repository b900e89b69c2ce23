import { ifbenchInstructions } from '../../../grading/scorers/ifbench/instructions.ts'
import { direct, type Recipe } from '../recipe.ts'
import { anyForm } from './any-form.ts'
import { instructionProfile, instructionTask } from './instruction-task.ts'

export const ifbench: Recipe = {
  definition: {
    slug: 'ifbench',
    provider: 'allenai',
    name: 'ifbench',
    title: 'IFBench',
    summary: 'Prompts with one or two instructions of 58 kinds that are not in IFEval, each checked by a program.',
    description:
      'Whether a model follows instructions of kinds that it was not trained on. A task counts as solved when all its instructions are followed. ' +
      'Strict reads the answer as it is; loose also without its first or last line or without asterisks.',
    howMade: 'Instructions written by people, added to prompts of WildChat that were held out; 300 prompts.',
    knownLimits: [
      'It says nothing about whether the text is good or true.',
      'Verbs and syllables are recognized by word lists and spelling where the original program uses a tagger and a dictionary.',
    ],
    runner: 'inspect',
    capabilities: ['instruction following'],
    license: { name: 'ODC-BY 1.0', url: 'https://opendatacommons.org/licenses/by/1-0/' },
    citation: 'Pyatkin et al. (2025), Generalizing Verifiable Instruction Following, arXiv:2507.02833',
    homepage: 'https://github.com/allenai/IFBench',
    profiles: [instructionProfile('ifbench', ['loose', 'strict'], 2048)],
  },
  files: [
    {
      role: 'test',
      required: true,
      fileName: 'IFBench_test.jsonl',
      url: 'https://raw.githubusercontent.com/allenai/IFBench/main/data/IFBench_test.jsonl',
      download: direct,
      sha256: null,
      purpose: 'The 300 prompts with their instructions.',
      content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: instructionTask('IFBench', ifbenchInstructions) },
    },
  ],
}
