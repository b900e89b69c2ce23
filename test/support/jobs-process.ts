import { countingJob } from './counting-job.ts'
import { handlerOf, jobsOn, workspaces } from './jobs.ts'

/** Starts one job on the database that is named, says its id in the middle of it and waits to be killed. */
const { db, jobs } = jobsOn(process.argv[2])
jobs.register(handlerOf('backup', { run: countingJob(db, 5, () => console.log(id)) }))
jobs.start()
const id = jobs.enqueue('backup', { workspaceId: workspaces[0], owner: { kind: 'service' }, input: { name: 'count' }, subject: null })
setInterval(() => {}, 1_000)
