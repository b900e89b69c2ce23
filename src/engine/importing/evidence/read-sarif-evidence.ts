import { z } from 'zod'
import { EvidenceError, type EvidenceFile, taskName } from './evidence-file.ts'
import { evidenceJson, evidenceText, parseEvidence } from './evidence-text.ts'

const Level = z.enum(['none', 'note', 'warning', 'error'])
const Rule = z.looseObject({ id: z.string(), defaultConfiguration: z.looseObject({ level: Level.nullish() }).nullish() })
const Result = z.looseObject({
  ruleId: z.string().nullish(),
  ruleIndex: z.int().nullish(),
  rule: z.looseObject({ id: z.string().nullish(), index: z.int().nullish() }).nullish(),
  kind: z.string().default('fail'),
  level: Level.nullish(),
  suppressions: z.array(z.looseObject({ status: z.string().nullish() })).nullish(),
})
const Run = z.looseObject({
  tool: z.looseObject({ driver: z.looseObject({ name: z.string().nullish(), rules: z.array(Rule).nullish() }) }),
  results: z.array(Result).nullish(),
  invocations: z.array(z.looseObject({ executionSuccessful: z.boolean().nullish() })).nullish(),
})
const Log = z.looseObject({ version: z.string(), runs: z.array(Run) })
type Result = z.infer<typeof Result>

/** A SARIF log: each rule is a task, failed by an unsuppressed result of kind `fail` and level `error`. @throws EvidenceError */
export function readSarifEvidence(bytes: Buffer): EvidenceFile {
  const { runs, version } = parseEvidence(Log, evidenceJson(evidenceText(bytes)), 'a SARIF log')
  if (!version.startsWith('2.1')) throw new EvidenceError(`SARIF ${version.slice(0, 20)} is not read; export version 2.1.0.`)
  const failed = new Map<string, boolean>()
  for (const [i, run] of runs.entries()) {
    const rules = run.tool.driver.rules ?? []
    for (const { id } of rules) failed.set(taskName(id, null), failed.get(id) ?? false)
    for (const [j, result] of (run.results ?? []).entries()) {
      const index = result.ruleIndex ?? result.rule?.index
      const indexed = index == null ? undefined : rules[index]
      const id = result.ruleId ?? result.rule?.id ?? indexed?.id
      if (id == null) throw new EvidenceError(`runs[${i}].results[${j}] names no rule.`)
      // A result of a rule's part is named by the rule and the part: CA1000/1.
      const rule = indexed ?? rules.find(one => one.id === id) ?? rules.find(one => id.startsWith(`${one.id}/`))
      const level = result.kind === 'fail' ? (result.level ?? rule?.defaultConfiguration?.level ?? 'warning') : 'none'
      const task = taskName(rule?.id ?? id, null)
      failed.set(task, (failed.get(task) ?? false) || (level === 'error' && !isSuppressed(result)))
    }
  }
  if (failed.size === 0) throw new EvidenceError('The log has neither rules nor results.')
  const unsuccessful = runs.some(({ invocations }) => invocations?.some(({ executionSuccessful }) => executionSuccessful === false))
  const withoutRules = runs.some(({ tool }) => (tool.driver.rules ?? []).length === 0)
  return {
    rows: [...failed].map(([task, isFailed]) => ({
      line: null,
      task,
      isPlace: false,
      texts: [],
      label: null,
      metric: 'passed',
      value: isFailed ? 0 : 1,
    })),
    figures: [],
    blocked: unsuccessful ? 'A run of the tool did not end successfully.' : null,
    cautions: withoutRules ? ['A run does not list its rules: rules without a result are not known to have passed.'] : [],
  }
}

/** Suppressed by at least one accepted suppression and none under review or rejected (SARIF 2.1.0, 3.27.23). */
function isSuppressed({ suppressions }: Result): boolean {
  return suppressions != null && suppressions.length > 0 && suppressions.every(({ status }) => status == null || status === 'accepted')
}
