/** The objects that the user opened last, in the storage of the browser, newest first. */
import { useEffect } from 'react'
import { useMe } from './client.tsx'

export const visitedKinds = ['product', 'file', 'project'] as const
export interface Visit {
  readonly kind: (typeof visitedKinds)[number]
  readonly tid: string
  readonly name: string
}

const most = 8
const keyOf = (userId: string) => `kontor.recent.${userId}`

/** Notes a visit as soon as the name is known. */
export function useVisited(kind: Visit['kind'], tid: string, name: string | undefined): void {
  const { id = '' } = useMe()
  useEffect(() => {
    if (!name) return
    const others = readRecent(id).filter((one) => one.kind !== kind || one.tid !== tid)
    localStorage.setItem(keyOf(id), JSON.stringify([{ kind, tid, name }, ...others].slice(0, most)))
  }, [id, kind, tid, name])
}

export function readRecent(userId: string): readonly Visit[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]') as Visit[]
  } catch {
    return []
  }
}
