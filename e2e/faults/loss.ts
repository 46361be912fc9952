/**
 * A loss of power, played after the process was killed: undoes what the journal of disk.ts shows as not yet durable. A file
 * with unsynced bytes loses them; a name in a folder that was not synced afterwards disappears, with
 * everything below it.
 */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns what was undone. */
export function losePower(journal: string): string[] {
  if (!existsSync(journal)) return []
  const unsynced = new Set<string>()
  /** Names that the folder on disk does not have yet. */
  const unnamed = new Map<string, Set<string>>()
  const name = (path: string) => {
    if (!unnamed.has(dirname(path))) unnamed.set(dirname(path), new Set())
    unnamed.get(dirname(path))!.add(path)
  }
  const forget = (path: string) => {
    unsynced.delete(path)
    unnamed.get(dirname(path))?.delete(path)
  }
  for (const line of readFileSync(journal, 'utf8').trimEnd().split('\n')) {
    const [event, path, to] = JSON.parse(line || '["none",""]') as [string, string, string?]
    if (event === 'write') unsynced.add(path)
    if (event === 'create') name(path)
    if (event === 'remove') forget(path)
    if (event === 'sync') {
      unsynced.delete(path)
      unnamed.delete(path)
    }
    if (event === 'rename' || event === 'link') {
      if (unsynced.has(path)) unsynced.add(to!)
      if (event === 'rename') forget(path)
      name(to!)
    }
  }
  const undone: string[] = []
  for (const path of unsynced) {
    if (!existsSync(path)) continue
    truncateSync(path, 0)
    undone.push(`bytes of ${path}`)
  }
  for (const path of [...unnamed.values()].flatMap((paths) => [...paths])) {
    if (!existsSync(path)) continue
    rmSync(path, { recursive: true })
    undone.push(`name ${path}`)
  }
  writeFileSync(journal, '')
  return undone
}
