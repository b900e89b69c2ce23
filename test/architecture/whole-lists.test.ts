import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { sources } from './sources.ts'

/** Operations that answer with a page of a list. */
const paged: ReadonlySet<string> = new Set(
  Object.entries<Endpoint>(api).flatMap(([name, { method, response }]) =>
    method === 'GET' && response instanceof z.ZodObject && 'next_cursor' in response.shape ? [name] : [],
  ),
)

/** Where the first rows are all that is meant, with the reason. */
const firstRows: Readonly<Record<string, string>> = {
  'worlds/worlds.queries.ts listEnvironmentVersions': 'the newest version',
  'workers/workers.queries.ts listWorkers': 'the queue beside the list',
  'tuning/session-beginnings.ts listDatasets': 'what a search finds',
  'tuning/session-beginnings.ts listTraces': 'what a search finds',
  'samples/samples.queries.ts listSamples': 'one sample, or the latest',
  'runs/failed-regrade.tsx listJobs': 'the newest regrade of the run',
  'runs/runs.queries.ts listRuns': 'whether there is any',
  'runs/run-select.tsx listRuns': 'what a search finds',
  'releases/label-queue-page.tsx listSamples': 'a cursor in the query above the call',
  'quotes/use-expected-time.ts listRuns': 'the newest runs',
  'home/home.queries.ts listRuns': 'the newest runs',
  'evaluators/evaluators.queries.ts listCalibrationExamples': 'the first examples, to try a judge on',
  'evaluators/recorded-verdicts-form.tsx listExamples': 'the fields of the first examples',
  'demo/demo.queries.ts listJobs': 'the newest job',
  'datasets/datasets.queries.ts listDatasetScans': 'the newest scans',
  'comparisons/compare.queries.ts listComparedTasks': 'a task by its id',
  'comparisons/compare.queries.ts listMatrix': 'rows by their place',
  'catalog/catalog.queries.ts listBenchmarks': 'what a search finds; the form says how many there are',
  'backups/backups.queries.ts listBackups': 'answered whole',
  'app/running-jobs.queries.ts listRuns': 'the newest of each status; links lead to the rest',
  'app/background-jobs.queries.ts listJobs': 'a menu of the newest jobs',
  'app/palette.queries.ts listBenchmarks': 'what a search finds',
  'app/palette.queries.ts listComparisons': 'what a search finds',
  'app/palette.queries.ts listSuites': 'what a search finds',
  'app/palette.queries.ts listDatasets': 'what a search finds',
  'app/palette.queries.ts listEvaluators': 'what a search finds',
  'app/palette.queries.ts listReleaseDecisions': 'what a search finds',
  'app/palette.queries.ts listTuneSessions': 'what a search finds',
  'app/palette.queries.ts listRuns': 'what a search finds',
  'app/palette.queries.ts listTags': 'what a search finds',
  'annotations/annotations.queries.ts listTags': 'tags to complete what is typed',
  'annotations/annotations.queries.ts listReleaseLabels': 'the newest verdicts on a sample',
}

/** Text with parentheses in it, up to four deep. */
const nested = Array.from({ length: 4 }).reduce<string>(deeper => `(?:[^()]|\\(${deeper}\\))*`, '[^()]*')
const aCall = new RegExp(`\\bcall\\('(\\w+)'(${nested})\\)`, 'g')

test('every call is read to its end', () => {
  const texts = sources.filter(({ file }) => file.startsWith('renderer/')).map(({ text }) => text)
  const begun = texts.flatMap(text => [...text.matchAll(/\bcall\('(\w+)'/g)].map(([, name]) => name))
  expect(texts.flatMap(text => [...text.matchAll(aCall)].map(([, name]) => name))).toEqual(begun)
})

test('pages read lists to their end, or say that there is more', () => {
  const cut = sources
    .filter(({ file }) => file.startsWith('renderer/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(aCall)].flatMap(([, name = '', request = '']) =>
        paged.has(name) && !/\b(?:cursor|offset)\b/.test(request) ? [`${file.replace('renderer/', '')} ${name}`] : [],
      ),
    )
  expect([...new Set(cut)].toSorted()).toEqual(Object.keys(firstRows).toSorted())
})
