import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shownChoices } from '../../../../src/engine/importing/files/shown-choices.ts'
import { MediaIntake } from '../../../../src/engine/importing/media/media-intake.ts'
import { openMediaFolder } from '../../../../src/engine/importing/media/open-media-folder.ts'
import { makeZip } from '../../../support/make-zip.ts'
import { makePng } from '../../../support/media.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('a file whose name is written otherwise is not taken, and named with what is there', async () => {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'a.zip')
    const png = makePng([1, 2, 3])
    const names = ['d/p/One.png', 'd/p/cafe\u0301.png', 'd/p/two.png', 'Root.png']
    writeFileSync(path, makeZip([{ name: 'd/rows.jsonl', content: Buffer.from('{}') }, ...names.map(name => ({ name, content: png }))]))
    const { find, similar } = await openMediaFolder('jsonl', [{ name: 'a.zip', path, role: 'tasks' }])
    const intake = new MediaIntake({ find, similar })
    expect(find('p/two.png')?.path).toBe('d/p/two.png')
    expect(intake.cell('Root.png', 'image')).toHaveLength(1)
    expect(() => intake.cell('P/one.PNG', 'image')).toThrow(
      'The file "P/one.PNG" in "image" is not among the files of this import; "d/p/One.png" is, whose case or accents are written otherwise.',
    )
    expect(() => intake.cell('p/caf\u00e9.png', 'image')).toThrow('is, whose case or accents')
    expect(() => intake.cell('root.png', 'image')).toThrow('"Root.png" is, whose case or accents')
    expect(() => intake.cell('p/none.png', 'image')).toThrow(/import\.$/)
    expect(() => intake.cell('../p/Two.png', 'image')).toThrow(/import\.$/)
    expect(find('p/one.png')).toBeNull()
    const texts = ['P/One.png', 'p/TWO.png']
    // They are texts that are called like files.
    expect(shownChoices({ texts, labels: null, flags: null, cells: texts }, intake)).toBeNull()
  } finally {
    folder.remove()
  }
})
