import { parseArgs } from 'node:util'

const usage = `usage: npm run bench -- COMMAND

  run       whole runs against the local model server   [--samples N,N] [--source] [--entry FILE] [--profile DIR]
  profile   where a sample's processor time goes, by thread; adds up to the whole   [--samples N]
  ready     starts on a folder with a large run, of several builds by turns   [--samples N] [--rounds N] [--entry FILE …]
  looks     searches and exports of a large run: time, turns of the main loop, memory   [--samples N]
  versus    the same questions by a bare client, and by promptfoo where it is installed
                                                        [--samples N] [--rounds N] [--entry FILE …] [--promptfoo FOLDER]
  compare   a comparison of two big runs                [--samples N]
  recommend a recommendation over many indexed tasks    [--tasks N]
  scale     what people look at, with 1,000,000 samples stored   [--samples N]
  workspace  a workspace of years of a team of five: how long its lists take   [--years N]
  pages     result page and list of big runs in a browser  [--samples N,N]
  releases  the analysis of a big release decision       [--tasks N]
  media     tasks with a picture of 80 kB each: import, and run against a bare client
                                                        [--tasks N] [--rounds N] [--entry FILE …] [--profile DIR]
  import    large files imported while the service answers       [--megabytes N]
  answers   outputs of a model imported as a run and graded      [--outputs N]
  datasets  a large dataset imported, listed, searched and scanned  [--examples N]
  traces    a backfill, then lists over what it read       [--traces N]
  tuning    simulated races through the deciding functions  [--races N]
  drift     false alarms and delays of the drift detector of monitors  [--outputs N]
  load      10,000 mixed requests by 50 clients
  beside    a run beside 50 clients, and beside 200 event streams, against alone
                                                        [--samples N] [--rounds N] [--entry FILE] [--profile DIR] [--only NAME]
  reads     processor time of each read of the mixed load, on the main thread and in all   [--rounds N] [--entry FILE]
  likelihoods  processor time of likelihoods with a large vocabulary  [--tokens N]
  scorers   text scorers in batches on two threads      [--outputs N] [--only SCORER]
  sandbox   model-written code in each tier, against Python without one
  workers   code graded locally and by 1, 2 and 4 workers, and what their queue costs; needs PostgreSQL  [--rounds N]
`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: 'string' },
    tasks: { type: 'string' },
    tokens: { type: 'string' },
    megabytes: { type: 'string' },
    examples: { type: 'string' },
    traces: { type: 'string' },
    outputs: { type: 'string' },
    races: { type: 'string' },
    years: { type: 'string' },
    only: { type: 'string' },
    source: { type: 'boolean', default: false },
    entry: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    promptfoo: { type: 'string' },
    profile: { type: 'string' },
  },
})

switch (positionals[0] ?? 'run') {
  case 'run': {
    const { benchRuns } = await import('./run-bench.ts')
    const samples = (values.samples ?? '1319,13190,100000').split(',').map(Number)
    await benchRuns({ samples, fromSource: values.source, entry: values.entry?.[0] ?? null, profileDir: values.profile ?? null })
    break
  }
  case 'profile': {
    const { benchProfile } = await import('./profile-bench.ts')
    await benchProfile(Number(values.samples ?? 30_000))
    break
  }
  case 'ready': {
    const { benchReady } = await import('./ready-bench.ts')
    const { samples = '100000', rounds = '7', entry = [] } = values
    await benchReady({ samples: Number(samples), rounds: Number(rounds), entries: entry })
    break
  }
  case 'looks': {
    const { benchLooks } = await import('./looks-bench.ts')
    await benchLooks(Number(values.samples ?? 100_000))
    break
  }
  case 'versus': {
    const { benchVersus } = await import('./versus-bench.ts')
    const { samples = '30000', rounds = '5', entry = [], promptfoo = null } = values
    await benchVersus({ samples: Number(samples), rounds: Number(rounds), entries: entry, promptfoo })
    break
  }
  case 'answers': {
    const { benchAnswers } = await import('./answers-bench.ts')
    await benchAnswers(Number(values.outputs ?? 100_000))
    break
  }
  case 'workers': {
    const { benchWorkers } = await import('./workers-bench.ts')
    await benchWorkers(Number(values.rounds ?? 3))
    break
  }
  case 'compare': {
    const { benchComparisons } = await import('./compare-bench.ts')
    await benchComparisons(Number(values.samples ?? 100_000))
    break
  }
  case 'releases': {
    const { benchReleases } = await import('./release-bench.ts')
    await benchReleases(Number(values.tasks ?? 100_000))
    break
  }
  case 'recommend': {
    const { benchRecommendations } = await import('./recommend-bench.ts')
    await benchRecommendations(Number(values.tasks ?? 1_000_000))
    break
  }
  case 'scale': {
    const { benchScale } = await import('./scale-bench.ts')
    await benchScale(Number(values.samples ?? 100_000))
    break
  }
  case 'workspace': {
    const { benchWorkspace } = await import('./workspace-bench.ts')
    await benchWorkspace(Number(values.years ?? 1))
    break
  }
  case 'pages': {
    const { benchPages } = await import('./pages-bench.ts')
    await benchPages((values.samples ?? '21000,100000').split(',').map(Number))
    break
  }
  case 'tuning': {
    const { benchTuning } = await import('./tuning-bench.ts')
    benchTuning(Number(values.races ?? 20_000))
    break
  }
  case 'drift': {
    const { benchDrift } = await import('./drift-bench.ts')
    benchDrift(Number(values.outputs ?? 100_000))
    break
  }
  case 'import': {
    const { benchImports } = await import('./import-bench.ts')
    await benchImports(Number(values.megabytes ?? 100))
    break
  }
  case 'media': {
    const { benchMedia } = await import('./media-bench.ts')
    await benchMedia({
      tasks: Number(values.tasks ?? 10_000),
      rounds: Number(values.rounds ?? 1),
      entries: values.entry ?? [],
      profileDir: values.profile ?? null,
    })
    break
  }
  case 'datasets': {
    const { benchDatasets } = await import('./datasets-bench.ts')
    await benchDatasets(Number(values.examples ?? 100_000))
    break
  }
  case 'traces': {
    const { benchTraces } = await import('./traces-bench.ts')
    await benchTraces(Number(values.traces ?? 100_000))
    break
  }
  case 'load':
    await import('./load-bench.ts')
    break
  case 'beside': {
    const { benchBeside } = await import('./beside-bench.ts')
    const { samples = '15828', rounds = '3', entry = [], profile = null, only = null } = values
    await benchBeside({ samples: Number(samples), rounds: Number(rounds), entry: entry[0] ?? null, profileDir: profile, only })
    break
  }
  case 'reads': {
    const { benchReads } = await import('./reads-bench.ts')
    const { rounds = '12', entry = [] } = values
    await benchReads({ rounds: Number(rounds), entry: entry[0] ?? null })
    break
  }
  case 'likelihoods': {
    const { benchLikelihoods } = await import('./likelihoods-bench.ts')
    await benchLikelihoods(Number(values.tokens ?? 150_000))
    break
  }
  case 'scorers': {
    const { benchScorers } = await import('./scorers-bench.ts')
    await benchScorers(Number(values.outputs ?? 20_000), values.only ?? null)
    break
  }
  case 'sandbox':
    await import('./sandbox-bench.ts')
    break
  default:
    console.error(usage)
    process.exitCode = 2
}
