/** Executions of runs, one at a time of each. */
export interface RunTasks {
  /**
   * Begins to execute a run. Where it is being executed, it is executed once more afterwards, unless it has ended: the command may have
   * come too late for the execution that is ending.
   */
  begin(runNo: number): void
  isBusy(runNo: number): boolean
  /** Begins nothing more. Resolves when nothing is being executed. */
  close(): Promise<void>
}

/**
 * @param execute never rejects
 * @param isOpen whether the run has not ended
 */
export function createRunTasks(execute: (runNo: number) => Promise<void>, isOpen: (runNo: number) => boolean): RunTasks {
  const tasks = new Map<number, Promise<void>>()
  const again = new Set<number>()
  let isClosing = false
  const begin = (runNo: number) => {
    if (isClosing) return
    if (tasks.has(runNo)) {
      again.add(runNo)
      return
    }
    const task = execute(runNo).finally(() => {
      tasks.delete(runNo)
      if (again.delete(runNo) && isOpen(runNo)) begin(runNo)
    })
    tasks.set(runNo, task)
  }
  return {
    begin,
    isBusy: runNo => tasks.has(runNo),
    close: async () => {
      isClosing = true
      await Promise.allSettled(tasks.values())
    },
  }
}
