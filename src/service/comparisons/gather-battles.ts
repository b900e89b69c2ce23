import { mostBattles, mostFought, type ModelRanking, type NewRanking } from '../../contract/comparisons/rankings.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { JudgedPair } from '../../storage/reads/judged-pairs.ts'
import type { Evaluators } from '../evaluators/index.ts'

type Battle = NewRanking['battles'][number]
type Source = ModelRanking['sources'][number]

/** The battles that were sent, then those that evaluators decided, with where they are from. @throws ApiError */
export function gatherBattles(
  calibrations: Pick<Evaluators['calibrations'], 'pairs'>,
  workspaceId: string,
  { battles: sent, calibration_ids: ids }: Pick<NewRanking, 'battles' | 'calibration_ids'>,
): { readonly battles: Battle[]; readonly sources: Source[] } {
  const battles = [...sent]
  const sentInAll = fought(sent)
  const sources: Source[] = sent.length > 0 ? [{ kind: 'battles', battles: sentInAll }] : []
  for (const [i, id] of ids.entries()) {
    const loc = ['body', 'calibration_ids', i]
    if (ids.findIndex(other => other.toLowerCase() === id.toLowerCase()) < i) throw invalidField(loc, `"${id}" is listed twice`)
    const { calibration, pairs } = calibrations.pairs(workspaceId, id, loc)
    const judged = pairs.filter(({ verdict }) => verdict !== null)
    const decided = judged.flatMap(battleOf)
    battles.push(...decided)
    sources.push({
      kind: 'calibration',
      calibration_id: calibration.id,
      evaluator_id: calibration.evaluator_id,
      evaluator_name: calibration.evaluator_name,
      evaluator_version: calibration.evaluator_version,
      dataset_version_id: calibration.dataset_version_id,
      verdict: calibration.verdict,
      battles: decided.length,
      unscored: pairs.length - judged.length,
      unnamed: judged.length - decided.length,
    })
  }
  const inAll = fought(battles)
  if (inAll < 2 && ids.length === 0) throw invalidField(['body', 'battles'], 'must have at least 2 battles')
  if (inAll < 2)
    throw invalidField(
      ['body', 'calibration_ids'],
      `have ${inAll} verdicts on pairs that name their models; at least 2 are needed. Name the models of a pair in the columns "model_a" and "model_b" of its dataset.`,
    )
  if (battles.length > mostBattles)
    throw invalidField(['body', 'calibration_ids'], `make ${battles.length} battles in all; at most ${mostBattles} are ranked together`)
  if (inAll > mostFought)
    throw invalidField(['body', 'battles'], `are ${formatCount(inAll)} in all; at most ${formatCount(mostFought)} are ranked together`)
  return { battles, sources }
}

/** Battles with how often each was fought alike. */
function fought(battles: readonly Battle[]): number {
  return battles.reduce((sum, { times = 1 }) => sum + times, 0)
}

function battleOf({ verdict, model_a, model_b, characters_a, characters_b }: JudgedPair): Battle[] {
  if (model_a === null || model_b === null || model_a === model_b) return []
  const winner = verdict === 'a' ? 'model_a' : verdict === 'b' ? 'model_b' : 'tie'
  return [{ model_a, model_b, winner, style: { characters: [characters_a, characters_b] } }]
}

/** What a reader of the ranking must know of where its battles are from. */
export function cautionsOf(source: Source): string[] {
  if (source.kind === 'battles') return []
  const { evaluator_name: name, evaluator_version: version, unscored, unnamed, verdict } = source
  const judge = `“${name}”, version ${version}`
  return [
    ...(unscored > 0
      ? [`${unscored === 1 ? '1 pair has' : `${unscored} pairs have`} no verdict of ${judge} and ${isAre(unscored)} not ranked.`]
      : []),
    ...(unnamed > 0
      ? [
          `${unnamed === 1 ? '1 pair' : `${unnamed} pairs`} judged by ${judge} ${unnamed === 1 ? 'does' : 'do'} not name two different models and ${isAre(unnamed)} not ranked.`,
        ]
      : []),
    ...(verdict === 'usable'
      ? []
      : [`The calibration of ${judge} is ${verdict ?? 'without a verdict'}, so its preferences may not be those of people.`]),
  ]
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}
