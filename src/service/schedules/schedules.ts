import type { Kernel } from '../kernel.ts'
import { createRunGroups, type RunGroupsDependencies, runGroupsHandlers } from '../run-groups/index.ts'
import { schedulesHandlers } from './schedules.handlers.ts'
import { createScheduleRecords, type ScheduleDependencies } from './schedules.service.ts'

type SchedulesDependencies = Omit<ScheduleDependencies, 'groups'> & RunGroupsDependencies

/** Groups of runs, and their start by a calendar. */
export function createSchedules(kernel: Kernel, dependencies: SchedulesDependencies) {
  const groups = createRunGroups(kernel, dependencies)
  const { budgets, start, close, ...records } = createScheduleRecords(kernel, { ...dependencies, groups })
  return { handlers: { ...runGroupsHandlers(groups), ...schedulesHandlers(records) }, budgets, start, close }
}
