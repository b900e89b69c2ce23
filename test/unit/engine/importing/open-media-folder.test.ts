import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMediaFolder } from '../../../../src/engine/importing/media/open-media-folder.ts'
import { makeZip } from '../../../support/make-zip.ts'
import { makePng } from '../../../support/media.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('a file whose name is written otherwise is not taken, and named with what is there', async () => {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'a.zip')
    const png = makePng([1, 2, 3])
    const names = ['d/p/One.png', 'd/p/cafe\u0301.png', 'd/p/two.png']
    writeFileSync(path, makeZip([{ name: 'd/rows.jsonl', content: Buffer.from('{}') }, ...names.map(name => ({ name, content: png }))]))
    const { find } = await openMediaFolder('jsonl', [{ name: 'a.zip', path, role: 'tasks' }])
    expect(find('p/two.png')?.path).toBe('d/p/two.png')
    expect(() => find('P/one.PNG')).toThrow(
      'The file "P/one.PNG" is not among the files of this import; "d/p/One.png" is, whose case or accents are written otherwise.',
    )
    expect(() => find('p/caf\u00e9.png')).toThrow('is, whose case or accents')
    expect(find('p/none.png')).toBeNull()
    expect(find('../p/two.png')).toBeNull()
  } finally {
    folder.remove()
  }
})
