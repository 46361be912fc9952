/**
 * Unsaved changes in the storage of the browser, per user and object: a reload, a crash, signing out or a session that
 * ends loses nothing. They are deleted when they are saved or discarded, and after thirty days.
 */
const prefix = 'kontor.draft.'
const longestMs = 30 * 24 * 3_600_000

interface Stored<T> {
  /** When they were written last. */
  readonly at: number
  readonly changes: T
}

interface StoredDraft<T> {
  read(): Stored<T> | undefined
  /** undefined deletes it. */
  write(changes: T | undefined): void
}

export function storedDraft<T>(userId: string, object: string): StoredDraft<T> {
  const key = `${prefix}${userId}.${object}`
  return {
    read: () => readEntry<T>(key),
    write(changes) {
      if (changes === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify({ at: Date.now(), changes } satisfies Stored<T>))
    },
  }
}

function readEntry<T>(key: string): Stored<T> | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Stored<T> | null) ?? undefined
  } catch {
    return undefined
  }
}

const kinds = ['product', 'asset', 'briefing'] as const
export interface ListedDraft {
  readonly object: string
  readonly kind: (typeof kinds)[number]
  readonly tid: string
  readonly at: number
}
/** The drafts of a user, newest first. */
export function listDrafts(userId: string): readonly ListedDraft[] {
  const own = `${prefix}${userId}.`
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(own))
    .flatMap((key) => {
      const object = key.slice(own.length)
      const kind = kinds.find((one) => object.startsWith(`${one}.`))
      if (!kind) return []
      const rest = object.slice(kind.length + 1)
      // the key of a briefing also has its configuration and language
      const tid = kind === 'briefing' ? (JSON.parse(rest) as string[])[0]! : rest
      return [{ object, kind, tid, at: readEntry(key)?.at ?? 0 }]
    })
    .toSorted((a, b) => b.at - a.at)
}

/** Deletes the drafts of all users that nobody has continued for thirty days. */
export function deleteOldDrafts(now = Date.now()): void {
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith(prefix))) {
    const { at } = readEntry(key) ?? { at: 0 }
    if (now - at > longestMs) localStorage.removeItem(key)
  }
}
