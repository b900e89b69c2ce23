import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { everyKill } from '../support/every-kill.ts'
import { makePng } from '../support/media.ts'
import { temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Before the piece is there, written and not flushed, flushed without its name, named, before its row, before its reference. */
const steps = everyKill ? [1, 2, 3, 4, 5, 6] : [2, 4, 6]

const picture = (i: number) => makePng([i, i, i])

function send({ client, baseUrl }: ChildService, bytes: Uint8Array<ArrayBuffer>): Promise<Response | null> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'picture.png')
  return fetch(`${baseUrl}/v1/media`, { method: 'POST', headers: client.headers, body: form }).catch(() => null)
}

/** Rows without a sound file. */
function broken(): string[] {
  const db = openDatabase(join(folder.path, 'assay.db'), { readonly: true })
  const rows = db.all(db.sql.selectFrom('media').select(['digest', 'bytes']))
  db.close()
  return rows.flatMap(({ digest, bytes }) => {
    const path = join(folder.path, 'media', digest.slice(0, 2), digest)
    const content = existsSync(path) ? readFileSync(path) : null
    return content?.length === bytes && createHash('sha256').update(content).digest('hex') === digest ? [] : [digest]
  })
}

test('a kill at any step of storing a picture leaves no row without its file, no piece, and loses none that was stored', async () => {
  const stored: Uint8Array<ArrayBuffer>[] = []
  for (const step of steps) {
    const service = await startChildService(folder.path, [], `media:${step}`)
    expect(await send(service, picture(step))).toBeNull()
    expect(await service.gone).toBe('SIGKILL')
    expect({ step, broken: broken() }).toEqual({ step, broken: [] })
    const again = await startChildService(folder.path)
    const pieces = join(folder.path, 'media', 'writing')
    expect(existsSync(pieces) ? readdirSync(pieces) : []).toEqual([])
    expect((await send(again, picture(step)))?.status).toBe(201)
    stored.push(picture(step))
    for (const bytes of stored) {
      const digest = createHash('sha256').update(bytes).digest('hex')
      const reply = await fetch(`${again.baseUrl}/v1/media/sha256:${digest}`, { headers: again.client.headers })
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from(bytes))
    }
    await again.stop()
  }
})
