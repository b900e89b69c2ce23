import { expect, test } from 'vitest'
import { withRemote } from '../../../../src/engine/importing/answers/remote-facts.ts'
import { RemoteMedia } from '../../../../src/engine/importing/media/remote-media.ts'
import { notesOf } from '../../../../src/renderer/answers/answers-preview.tsx'

test('names the samples that are left out, also beside the choice of hosts', () => {
  const remote = new RemoteMedia({ leavesOut: true })
  remote.find('https://pictures.example/a.png', 'in "input"')
  const leftOut = `Left out: the sample "elsewhere": ${remote.takeFault()}`
  const { warnings } = withRemote({ problems: [], problemCount: 0, warnings: [leftOut] }, remote, [])
  expect(leftOut).toContain('"fetch_media"')
  expect(warnings).toHaveLength(2)
  const record = { warnings: [...warnings], remote_media: remote.hosts(), remote_hosts: remote.hostCount }
  expect(notesOf(record)).toEqual([leftOut])
  // A host without a choice of its own.
  expect(notesOf({ ...record, remote_hosts: 2 })).toEqual(warnings)
})
