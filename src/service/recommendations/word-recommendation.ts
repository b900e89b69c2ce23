import type { Recommendation, RecommendationRequest, RecommendedTask } from '../../contract/recommendations/recommendations.schemas.ts'
import type { RecommendationAnswer } from '../../engine/reporting/recommendations/recommend.ts'
import type { Chosen } from '../../engine/reporting/recommendations/select-tasks.ts'
import type { CatalogSubject } from './gather-subjects.ts'

/** A shrunk separation from which on a task is worth naming for it. */
const separatesWell = 0.15

/** The answer as the interface shows it: what was chosen and why, what was not and why not. */
export function describeRecommendation(
  request: RecommendationRequest,
  subjects: readonly CatalogSubject[],
  answer: RecommendationAnswer,
): Recommendation {
  const bySubject = Map.groupBy(answer.chosen, ({ task }) => task.source)
  const sources = [...bySubject]
    .sort(([a], [b]) => (answer.fit[b] ?? 0) - (answer.fit[a] ?? 0) || a - b)
    .flatMap(([source, chosen]) => sourceOf(subjects[source], chosen, answer))
  return {
    objective: request.objective,
    terms: [...answer.words],
    selections: sources.map(({ source_ref, split, tasks }) => ({ source_ref, split, task_ids: tasks.map(task => task.task_id) })),
    sources,
    informed_by: [...answer.informedBy],
    tasks: answer.chosen.length,
    historical_cost_microusd: totalCost(answer.chosen),
    uncovered_capabilities: uncovered(subjects, answer),
    exclusions: [
      ...subjects.flatMap(({ benchmark, exclusion }, i) =>
        exclusion && (answer.fit[i] ?? 0) > 0 ? [{ subject: benchmark.slug, ...exclusion }] : [],
      ),
      ...answer.skipped.map(({ task, code, reason }) => ({
        subject: `${subjects[task.source]?.profile?.source_ref ?? ''}#${task.taskId}`,
        code,
        reason,
      })),
    ],
    warnings: warningsOf(request, answer),
  }
}

function sourceOf(subject: CatalogSubject | undefined, chosen: readonly Chosen[], answer: RecommendationAnswer): Recommendation['sources'] {
  const { profile, benchmark, tasks: available } = subject ?? {}
  const sourceRef = profile?.source_ref
  if (!profile || !sourceRef || !benchmark || !available) return []
  const inOrder = chosen.toSorted((a, b) => a.task.position - b.task.position)
  const tasks = inOrder.map(one => describeTask(one, sourceRef, answer.words))
  const named = tasks.filter(task => task.reason.startsWith('Names')).length
  const separating = tasks.filter(task => (task.separation ?? 0) >= separatesWell).length
  const required = tasks.filter(task => task.required_by !== null).length
  return [
    {
      source_ref: sourceRef,
      split: profile.split,
      slug: benchmark.slug,
      title: benchmark.title,
      profile_id: profile.id,
      tasks_available: available.count,
      capabilities: [...new Set(inOrder.flatMap(({ task }) => task.capabilities))].sort(),
      tasks,
      historical_cost_microusd: totalCost(chosen),
      reasons: [
        `${tasks.length} of ${available.count} tasks of ${benchmark.title}.`,
        ...(named > 0
          ? [`${named} of them name words of the objective.`]
          : ['Its title, summary or capabilities hold words of the objective.']),
        ...(separating > 0 ? [`On ${separating} of them past results tell better models from worse.`] : []),
        ...(required > 0 ? [`${required} of them are there because others depend on them.`] : []),
      ],
    },
  ]
}

function describeTask({ task, requiredBy }: Chosen, sourceRef: string, words: readonly string[]): RecommendedTask {
  return {
    task_id: task.taskId,
    source_ref: sourceRef,
    split: task.split,
    position: task.position,
    preview: task.preview,
    input_characters: task.inputCharacters,
    choices: task.choices,
    capabilities: [...task.capabilities],
    depends_on: [...task.dependsOn],
    relevance: task.relevance,
    separation: task.separation,
    required_by: requiredBy,
    reason: reasonOf(task, requiredBy, words),
  }
}

function reasonOf({ preview, separation }: Chosen['task'], requiredBy: string | null, words: readonly string[]): string {
  if (requiredBy !== null) return `"${requiredBy}" depends on it.`
  const text = preview.toLowerCase()
  // The index matches stems; the beginning of a word is near enough to say which one it was.
  const named = words.filter(word => text.includes(word.slice(0, Math.max(4, word.length - 3))))
  const why = named.length ? `Names ${named.join(', ')}` : 'Its benchmark fits the objective'
  if (separation === null) return `${why}.`
  return separation >= separatesWell
    ? `${why}, and past results tell better models from worse on it.`
    : `${why}; on past results models hardly differ on it.`
}

/** Null where a cost is not known, since a sum of the others would flatter. */
function totalCost(chosen: readonly Chosen[]): string | null {
  if (chosen.length === 0 || chosen.some(({ task }) => task.cost === null)) return null
  return String(Math.ceil(chosen.reduce((sum, { task }) => sum + (task.cost ?? 0), 0)))
}

function uncovered(
  subjects: readonly CatalogSubject[],
  { wanted, chosen }: RecommendationAnswer,
): Recommendation['uncovered_capabilities'] {
  const covered = new Set(chosen.flatMap(({ task }) => [...task.capabilities, ...(subjects[task.source]?.capabilities ?? [])]))
  return wanted
    .filter(capability => !covered.has(capability))
    .map(capability => {
      const having = subjects.filter(subject => subject.capabilities.includes(capability))
      const missing = having.filter(subject => subject.exclusion).map(subject => subject.benchmark.title)
      const reason =
        missing.length === having.length
          ? `Only ${missing.join(', ')} would test it and cannot be run now.`
          : 'The limits left no room for any of its tasks.'
      return { capability, reason }
    })
}

function warningsOf(
  { task_limit, budget_microusd, models }: RecommendationRequest,
  answer: RecommendationAnswer,
): Recommendation['warnings'] {
  const { chosen, unknownWords, budgetReached, hasHistory, informedBy } = answer
  const warnings: Recommendation['warnings'] = []
  if (chosen.length === 0) {
    warnings.push({
      code: 'nothing_found',
      message: 'No task that can be run fits the objective. Use other words, import a benchmark, or see the exclusions.',
    })
    return warnings
  }
  warnings.push({ code: 'subset', message: 'A result on these tasks is not a full benchmark score.' })
  if (chosen.length < task_limit && !budgetReached)
    warnings.push({ code: 'fewer_tasks', message: `${chosen.length} tasks fit; up to ${task_limit} were requested.` })
  if (unknownWords.length) warnings.push({ code: 'unknown_words', message: `No task or benchmark contains: ${unknownWords.join(', ')}.` })
  if (!hasHistory)
    warnings.push({ code: 'no_history', message: 'There are no past results of other models on these tasks, so only their text decided.' })
  if (informedBy.length > 0)
    warnings.push({
      code: 'selected_on_results',
      message: `Past results of ${informedBy.join(', ')} helped to choose. Scores of these models on these tasks would be biased; name the models that you want to evaluate, and their results are left out.`,
    })
  if (budgetReached)
    warnings.push({
      code: 'budget',
      message: 'Tasks were left out because of the budget. It is guidance by past token counts: not a price, and not a spending limit.',
    })
  if (models.length > 0 && budget_microusd !== undefined && chosen.some(({ task }) => task.cost === null)) {
    warnings.push({ code: 'unknown_cost', message: 'Of some tasks no past token counts are known; they count nothing against the budget.' })
  }
  return warnings
}
