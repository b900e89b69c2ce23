import { expect, test } from 'vitest'
import { describeStartFailure } from '../../../src/main/start-failure.ts'
import { DataFolderInUseError } from '../../../src/service/lifecycle/data-folder.ts'
import { NewerDatabaseError } from '../../../src/storage/migrate.ts'

test('names the two failures that a user can mend, and keeps what the service says to do', () => {
  expect(describeStartFailure(new DataFolderInUseError('Stop the other one first.', '/data', true), '/data')).toEqual({
    title: 'Another Assay is using this data folder',
    detail: 'Stop the other one first.\n\nData folder: /data',
  })
  expect(describeStartFailure(new NewerDatabaseError('Update Assay.'), '/data').title).toBe('This data folder belongs to a newer Assay')
})

test.each([
  ['EACCES', 'may not write'],
  ['ENOSPC', 'disk is full'],
  ['ENOTDIR', 'not a folder'],
  ['EROFS', 'read-only'],
])('adds what to do about %s', (code, advice) => {
  expect(describeStartFailure(Object.assign(new Error('mkdir failed'), { code }), '/data').detail).toMatch(
    new RegExp(`^mkdir failed\n\n.*${advice}.*\n\nData folder: /data$`),
  )
})

test('says what it knows about anything else', () => {
  expect(describeStartFailure('odd', '/data')).toEqual({ title: 'Assay could not start', detail: 'odd\n\nData folder: /data' })
})
