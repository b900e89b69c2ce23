import { startModelServer } from '../journeys/model-server/server.ts'

const server = await startModelServer({ answers: () => 'They start with 12, lose 3 and find 4 more: 12 - 3 + 4 = 13.\n#### 13' })
process.send?.({ baseUrl: server.baseUrl })
process.on('message', message => {
  if (message === 'stop') void server.close().then(() => process.disconnect())
})
// A bench that broke off leaves none behind.
process.on('disconnect', () => process.exit())
