import { writeFileSync } from 'node:fs'
import { fixtureSamples } from './test/unit/engine/report/run-fixture.ts'
import { reportOf } from './test/unit/engine/report/collect.ts'
writeFileSync('/tmp/small.html', await reportOf(fixtureSamples(40)))
