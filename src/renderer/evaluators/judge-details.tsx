import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { referenceWords } from './evaluators-words.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Judge = Extract<EvaluatorDefinition, { readonly kind: 'model_graded' }>
type Model = Judge['judges'][number]['model']

/** What a judge is asked: who, with which instructions, criteria and verdicts. */
export function JudgeDetails({ judge }: { readonly judge: Judge }) {
  const connections = useConnections()
  const routes = useModelRoutes()
  const nameOf = (model: Model): string =>
    model.kind === 'connection'
      ? (connections.data?.find(({ id }) => id === model.connection_id)?.name ?? model.connection_id)
      : (routes.data?.find(({ route_id: id }) => id === model.route_id)?.title ?? model.route_id)
  return (
    <Section title={judge.judges.length === 1 ? 'Judge' : 'Judges'}>
      <KeyValues
        items={{
          [judge.judges.length === 1 ? 'Model' : 'Models']: (
            <UntrustedText text={judge.judges.map(one => describeJudge(nameOf(one.model), one)).join('; ')} layout="prose" />
          ),
          'Expected answer': referenceWords[judge.reference],
          'Graded answer': judge.turns === undefined ? null : judge.turns === 'each' ? 'mean of all turns' : `turn ${judge.turns}`,
          'Gives its reasons': judge.explanation === 'none' ? 'no' : `${judge.explanation} the verdict`,
          Verdicts: judge.menu.length === 0 ? null : <Verdicts judge={judge} />,
          Criteria: judge.criteria.length === 0 ? null : <Criteria judge={judge} />,
        }}
      />
      <h3 className="evaluators-sub">Instructions</h3>
      <UntrustedText text={judge.instructions} />
      {judge.template === undefined ? null : (
        <>
          <h3 className="evaluators-sub">Template</h3>
          <UntrustedText text={judge.template} />
        </>
      )}
    </Section>
  )
}

function describeJudge(name: string, { effort, temperature }: Judge['judges'][number]): string {
  const settings = [
    ...(effort === null ? [] : [`effort ${effort}`]),
    temperature === null ? 'the provider’s temperature' : `temperature ${formatNumber(temperature, 2)}`,
  ]
  return `${name}, ${settings.join(', ')}`
}

function Verdicts({ judge: { menu } }: { readonly judge: Judge }) {
  return (
    <ul className="evaluators-list">
      {menu.map(({ value, meaning, passes }) => (
        <li key={value}>
          <UntrustedText text={meaning === '' ? value : `${value}: ${meaning}`} layout="prose" />
          {passes === true ? <span className="quiet"> (a pass)</span> : null}
        </li>
      ))}
    </ul>
  )
}

function Criteria({ judge: { criteria } }: { readonly judge: Judge }) {
  return (
    <ul className="evaluators-list">
      {criteria.map(({ id, text, points, required }) => (
        <li key={id}>
          <UntrustedText text={text} layout="prose" />
          <span className="quiet">
            {' '}
            ({formatNumber(points, 2)} {Math.abs(points) === 1 ? 'point' : 'points'}
            {required ? ', required' : ''})
          </span>
        </li>
      ))}
    </ul>
  )
}
