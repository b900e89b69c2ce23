import type { Scorer } from '../scorer.ts'
import { anls } from './anls.scorer.ts'
import { ocrContains } from './contains-answer.scorer.ts'
import { mathvistaAnswer } from './mathvista.scorer.ts'
import { mmmuAnswer } from './mmmu.scorer.ts'
import { pointInBox } from './point-in-box.scorer.ts'
import { relaxedAccuracy } from './relaxed-accuracy.scorer.ts'
import { vqaAccuracy } from './vqa-accuracy.scorer.ts'
import { yesOrNo } from './yes-no.scorer.ts'

/** Of benchmarks that show images, each by the rules of its own evaluation. */
export const multimodalScorers: readonly Scorer[] = [
  anls,
  relaxedAccuracy,
  vqaAccuracy,
  mmmuAnswer,
  mathvistaAnswer,
  pointInBox,
  yesOrNo,
  ocrContains,
]
