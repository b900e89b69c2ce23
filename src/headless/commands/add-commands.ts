import type { Command } from 'commander'
import type { Finish } from '../client/session.ts'
import { addCompare } from './compare.ts'
import { addCompletion } from './completion.ts'
import { addConnections } from './connections.ts'
import { addDemo } from './demo.ts'
import { addFeedback } from './feedback.ts'
import { addJudging } from './judge.ts'
import { addExport } from './export.ts'
import { addGate } from './gate.ts'
import { addImport } from './import.ts'
import { addInit } from './init.ts'
import { addInspect } from './inspect.ts'
import { addLocalModels } from './models-local.ts'
import { addMaintenance } from './maintenance.ts'
import { addPackage } from './package.ts'
import { addMcp } from './mcp.ts'
import { addProxy } from './proxy.ts'
import { addQuote } from './quote.ts'
import { addRun } from './run.ts'
import { addRunActions } from './run-actions.ts'
import { addRuntime } from './runtime.ts'
import { addTraces } from './traces.ts'
import { addWorld } from './world.ts'
import { addWorker } from './worker.ts'
import { addVectors } from './vectors.ts'
import { addVerify } from './verify.ts'

/** Every command of the program. A new one is a file beside this and a line here. */
export function addCommands(program: Command, finish: Finish): void {
  for (const add of [
    addMaintenance,
    addDemo,
    addInspect,
    addConnections,
    addLocalModels,
    addRuntime,
    addProxy,
    addImport,
    addQuote,
    addRun,
    addRunActions,
    addCompare,
    addExport,
    addJudging,
    addTraces,
    addFeedback,
    addGate,
    addInit,
    addPackage,
    addVectors,
    addVerify,
    addWorld,
    addWorker,
    addMcp,
    addCompletion,
  ])
    add(program, finish)
}
