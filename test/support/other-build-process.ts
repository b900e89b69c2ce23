import { scorers } from '../../src/engine/grading/scorers/registry.ts'

// Imported before a worker of the source: a build whose first scorer is of a later version, as after an upgrade of one machine.
for (const scorer of [...scorers.values()].slice(0, 1)) Object.assign(scorer, { version: scorer.version + 1 })
