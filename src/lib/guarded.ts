/**
 * A callback for a timer or an event, where nothing catches: what it throws, or its promise rejects with, would end the process.
 * @param tell is given the error
 */
export function guarded(callback: () => unknown, tell: (error: unknown) => void): () => void {
  return () => {
    try {
      const result = callback()
      if (result instanceof Promise) result.catch(tell)
    } catch (error) {
      tell(error)
    }
  }
}
