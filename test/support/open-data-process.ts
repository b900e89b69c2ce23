import { openData } from '../../src/service/lifecycle/open-data.ts'

/** Opens the database of a folder, brings it up to date and closes it. */
openData(process.argv[2] ?? '', new Date()).db.close()
