import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inputOf } from '../engine/content/benchmarks/task-preview.ts'
import { evenedInput } from '../engine/importing/packages/checks/duplicates.ts'
import { checkSignature } from '../engine/importing/packages/checks/signature.ts'
import { openPackage } from '../engine/importing/packages/open-package.ts'
import { packageBenchmark, packageSlug } from '../engine/importing/packages/package-benchmark.ts'
import { PackageFault } from '../engine/importing/packages/package-fault.ts'
import { checkResult } from '../engine/importing/packages/package-task.ts'
import { shotsOf } from '../engine/importing/packages/read-package-tasks.ts'
import { sha256 } from '../engine/importing/packages/sha256.ts'
import { type ReadPackage, readPackage, runStillCheck, stillChecks } from '../engine/importing/packages/run-check.ts'
import { createMediaFiles } from '../storage/media-files.ts'
import { otherTasks, readStoredPackage } from '../storage/reads/creator-package.ts'
import { databasePath, openReader } from './database-path.ts'
import { answersOf, sampleOf } from './package-answers.ts'
import type { PackageAnswers, PackageTask } from './packages-task.ts'
import { writePending } from './write-pending.ts'

/** The package looked at last: its checks come one after the other. */
let last: { readonly id: string; readonly publicKey: string | null; readonly workspaceId: string; readonly read: ReadPackage } | null = null

async function stored(id: string) {
  if (last?.id === id) return last
  const db = openReader()
  try {
    const { content, publicKey, workspaceId } = readStoredPackage(db, id)
    last = { id, publicKey, workspaceId, read: await readPackage(openPackage(content)) }
    return last
  } finally {
    db.close()
  }
}

/** Everything about packages that takes long or reads what others wrote. */
export default async function packages(task: PackageTask): Promise<PackageAnswers[keyof PackageAnswers]> {
  switch (task.kind) {
    case 'open':
      return open(await readFile(task.path))
    case 'dry_run':
      return dryRun(await readFile(task.path), task.workspaceId, task.publicKey)
    case 'check': {
      const { read, publicKey, workspaceId } = await stored(task.packageId)
      return runStillCheck(task.check, read, {
        publicKey,
        knownElsewhere: () => knownElsewhere(workspaceId, packageSlug(read.opened.manifest)),
      })
    }
    case 'signature': {
      const { read, publicKey } = await stored(task.packageId)
      return checkSignature(read.opened, publicKey).signature
    }
    case 'answers': {
      const { read } = await stored(task.packageId)
      return answersOf(read, task)
    }
    case 'sample': {
      const { read } = await stored(task.packageId)
      return sampleOf(read, task)
    }
    case 'tasks': {
      const { read } = await stored(task.packageId)
      const { profiles } = read.opened.manifest
      const asked = read.tasks.filter(({ split }) => profiles.some(profile => profile.split === split))
      return { chances: profiles.map(profile => read.chanceOf(profile)), ids: asked.map(({ id }) => id) }
    }
    case 'world': {
      const { world } = (await stored(task.packageId)).read.opened
      if (!world) return null
      const { slug: _s, previous_version_id: _p, ...definition } = world
      return definition
    }
    case 'content': {
      const { read } = await stored(task.packageId)
      const { tasks } = read.read
      const { manifest } = read.opened
      const [test, canonical] = [tasks.filter(({ split }) => split === 'test'), tasks.filter(({ split }) => split === 'canonical')]
      const shots = shotsOf(tasks).slice(0, Math.max(...manifest.profiles.map(profile => profile.shots)))
      const definition = packageBenchmark(read.opened, profile => read.chanceOf(profile))
      return {
        definition,
        tasks: [...test, ...canonical],
        shots,
        media: await writePending(read.read.media, createMediaFiles(dirname(databasePath()))),
      }
    }
  }
}

function open(bytes: Buffer): PackageAnswers['open'] {
  try {
    const { manifest, files } = openPackage(bytes)
    return { ok: true, manifest, files, sha256: sha256(bytes), content: bytes }
  } catch (error) {
    if (error instanceof PackageFault) return { ok: false, check: error.check, message: error.message }
    throw error
  }
}

async function dryRun(bytes: Buffer, workspaceId: string, publicKey: string | null): Promise<PackageAnswers['dry_run']> {
  const opened = open(bytes)
  if (!opened.ok) return { manifest: null, checks: [checkResult(opened.check, 'fail', opened.message)] }
  const read = await readPackage(openPackage(bytes))
  const slug = packageSlug(opened.manifest)
  return {
    manifest: opened.manifest,
    checks: stillChecks.map(check => runStillCheck(check, read, { publicKey, knownElsewhere: () => knownElsewhere(workspaceId, slug) })),
  }
}

function knownElsewhere(workspaceId: string, slug: string): (evened: string) => boolean {
  const db = openReader()
  try {
    const known = new Set<string>()
    for (const fields of otherTasks(db, workspaceId, slug)) {
      known.add(evenedInput(inputOf({ fields })))
      const [first] = Object.values(fields)
      if (first !== undefined) known.add(evenedInput(first))
    }
    return evened => known.has(evened)
  } finally {
    db.close()
  }
}
