import { agieval } from './readable/agieval.ts'
import { arcChallenge } from './readable/arc.ts'
import { bbh } from './readable/bbh.ts'
import { bfcl } from './readable/bfcl.ts'
import { humaneval, humanevalPlus } from './readable/code/humaneval.ts'
import { livecodebench } from './readable/code/livecodebench.ts'
import { mbpp, mbppPlus } from './readable/code/mbpp.ts'
import { sqlQuestions } from './readable/code/sql-questions.ts'
import { spreadsheetbench } from './readable/code/spreadsheetbench.ts'
import { drop } from './readable/drop.ts'
import { gsm8k } from './readable/gsm8k.ts'
import { hellaswag } from './readable/hellaswag.ts'
import { ifbench } from './readable/ifbench.ts'
import { ifeval } from './readable/ifeval.ts'
import { chartqa, docvqa, librispeech, ocrbench, pope, realworldqa, textvqa } from './readable/media/answered-briefly.ts'
import { ai2d, mathvista, mmbench, mmmu, mmmuPro, scienceqa } from './readable/media/multiple-choice.ts'
import { mmlu } from './readable/mmlu.ts'
import { mmluPro } from './readable/mmlu-pro.ts'
import { mtBench } from './readable/mt-bench.ts'
import { squad } from './readable/squad.ts'
import { truthfulqa } from './readable/truthfulqa.ts'
import type { Recipe } from './recipe.ts'

const code: readonly Recipe[] = [humaneval, humanevalPlus, mbpp, mbppPlus, livecodebench, spreadsheetbench, sqlQuestions]

const shown: readonly Recipe[] = [
  mmmu,
  mmmuPro,
  mathvista,
  mmbench,
  chartqa,
  docvqa,
  textvqa,
  ai2d,
  scienceqa,
  ocrbench,
  realworldqa,
  pope,
  librispeech,
]

/** Public benchmarks that are described here and whose data the user brings. */
export const recipes: readonly Recipe[] = [
  gsm8k,
  ifeval,
  ifbench,
  bbh,
  agieval,
  bfcl,
  truthfulqa,
  arcChallenge,
  hellaswag,
  mmlu,
  mmluPro,
  drop,
  squad,
  mtBench,
  ...code,
  ...shown,
]

/** By its id, which is the slug of its benchmark. */
export function findRecipe(id: string): Recipe | null {
  return recipes.find(recipe => recipe.definition.slug === id) ?? null
}
