import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { codeProfile } from '../code-profile.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

/** Functions to complete from signature and docstring, graded as evalplus does. */
export const pythonFunctions: BundledBenchmark = {
  version: versionOf(seed),
  generate: () => generate(seed),
  definition: {
    slug: 'python-functions',
    provider: 'assay',
    name: 'python-functions',
    title: 'Python functions',
    summary: 'Short Python functions to write from their signature and docstring, run against base and plus tests.',
    description:
      'Whether a model writes a small function that does exactly what its docstring says. Base tests are three ordinary calls; plus tests add twenty more ' +
      'and the edges: empty lists, single items, negative numbers, ties. The distance between the two metrics shows how much a model gets right only as long ' +
      'as nothing unusual comes. Base and plus is the metric the benchmark is known by.',
    howMade:
      'By a generator in this repository from 21 kinds of functions in variants that differ in what they ask for. The seed draws the inputs of the tests; the right values come from the ' +
      'reference, run in the same sandbox as the candidate. Each task has a wrong solution that makes a common mistake, and its tests catch it.',
    knownLimits: [
      'The functions are short, three to ten lines; nothing about larger programs can be read from them.',
      'Variants of one kind resemble each other, so the tasks are fewer in substance than in number.',
      'Only the standard library, no classes, no files.',
      'Strong models solve nearly all of it.',
    ],
    runner: 'evalplus',
    capabilities: ['programming', 'python'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      codeProfile(
        'Complete this Python function. Answer with the whole function in one fenced block of Python.\n\n```python\n{prompt}```',
        [
          binaryMetric('plus_tests', 'Passes base and plus tests', 'evalplus/plus', { primary: true }),
          binaryMetric('base_tests', 'Passes the base tests', 'evalplus/base'),
        ],
        ['topic'],
      ),
    ],
  },
}
