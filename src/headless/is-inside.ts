import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'

/** Whether a path of a folder that somebody else made stays in it, by ".." as by a link. @throws where a path within does not exist */
export function isInside(folder: string, path: string): boolean {
  return (
    !isAbsolute(path) &&
    isWithin(relative(resolve(folder), resolve(folder, path))) &&
    isWithin(relative(realpathSync(folder), realpathSync(join(folder, path))))
  )
}

/** Another drive's path stays absolute. */
const isWithin = (path: string): boolean => !isAbsolute(path) && path.split(/[\\/]/)[0] !== '..'
