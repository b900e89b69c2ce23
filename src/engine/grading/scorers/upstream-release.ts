/** The release of another tool whose scorers a family equals: the one that was read for them, and whose verdicts the vectors hold. */
const releases: Readonly<Record<string, string>> = {
  inspect_ai: 'inspect_ai 0.3.260',
  lm_eval: 'lm-evaluation-harness 0.4.13.dev0 (4e7e0d4)',
  ifeval: 'lm-evaluation-harness 0.4.13.dev0 (4e7e0d4)',
  ifbench: 'IFBench (db69a6f)',
  promptfoo: 'promptfoo 0.123.0',
  bfcl: 'BFCL (a6da28e)',
  lmms_eval: 'lmms-eval (75571cf)',
  mmmu: 'MMMU (bb0b95a)',
  vqa: 'VQA (a013f00)',
}

/** Null for scorers of our own, and for copies of tools without releases. */
export function upstreamRelease(scorer: string): string | null {
  return releases[scorer.slice(0, scorer.indexOf('/'))] ?? null
}
