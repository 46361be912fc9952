/**
 * Files on their way to the server: a few at a time, each in chunks, with progress, pause and a second chance.
 *
 * Before the bytes of a file travel, its digest does: when the server has the same bytes already, people are asked. What
 * is under way is kept in the browser (kept.ts), so that a reload goes on where it stopped. The queue outlives the page
 * that filled it.
 */
import type { Client, UploadState } from '@kontor/sdk'
import { digestOf } from './digest.ts'
import { forget, keep, readKept, type Kept } from './kept.ts'

export type Stage =
  'waiting' | 'checking' | 'duplicate' | 'sending' | 'paused' | 'done' | 'exists' | 'refused' | 'skipped'

export interface Upload {
  readonly id: string
  readonly name: string
  readonly size: number
  /** The directory, with a slash at the end. */
  readonly target: string
  readonly stage: Stage
  readonly sent: number
  /** Where the same bytes are already. */
  readonly twin?: string
  readonly reason?: string
}

interface Entry extends Kept {
  upload: Upload
  /** Asked and answered: these bytes may be here twice; this name may be replaced. */
  twice: boolean
  replace: boolean
  stop: AbortController
}

export interface UploadQueue {
  subscribe(listener: () => void): () => void
  /** The same list until something changes. */
  uploads(): readonly Upload[]
  add(files: readonly File[], target: string): void
  pause(id: string): void
  /** Goes on with one that is paused, was refused, or waits for an answer; `replace` takes the place of a namesake. */
  go(id: string, replace?: boolean): void
  skip(id: string): void
  clear(): void
  /** Takes up what an earlier page left; returns how many. */
  takeUp(): Promise<number>
}

const atATime = 3
/** Larger files are not read twice for a digest. */
const mostCompared = 256 * 1024 * 1024
const ended = new Set<Stage>(['done', 'skipped'])

export function createUploadQueue(client: Client, onDone: () => void): UploadQueue {
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  let shown: readonly Upload[] = []
  let running = 0

  const tell = () => {
    shown = [...entries.values()].map(({ upload }) => upload)
    for (const listener of listeners) listener()
  }
  const change = (entry: Entry, upload: Partial<Upload>) => {
    entry.upload = { ...entry.upload, ...upload }
    tell()
  }
  const enter = (kept: Kept) => {
    const { id, file, target, state } = kept
    const sent = state ? Math.min(file.size, state.sent.length * state.chunkSize) : 0
    const upload: Upload = { id, name: file.name, size: file.size, target, stage: 'waiting', sent }
    entries.set(id, { ...kept, upload, twice: state !== undefined, replace: false, stop: new AbortController() })
  }
  const next = () => {
    for (const entry of entries.values()) {
      if (running >= atATime) return
      if (entry.upload.stage !== 'waiting') continue
      running++
      void run(entry).finally(() => {
        running--
        next()
      })
    }
  }

  async function run(entry: Entry): Promise<void> {
    change(entry, { stage: 'checking' })
    try {
      const twin = entry.twice ? undefined : await twinOf(client, entry.file)
      if (twin !== undefined) return change(entry, { stage: 'duplicate', twin })
      change(entry, { stage: 'sending' })
      await send(entry)
      change(entry, { stage: 'done', sent: entry.file.size })
      await forget(entry.id)
      onDone()
    } catch (error) {
      if (entry.stop.signal.aborted) return
      const { message, status } = error as { message: string; status?: number }
      change(entry, status === 403 ? { stage: 'exists', reason: message } : { stage: 'refused', reason: message })
    }
  }

  async function send(entry: Entry): Promise<void> {
    const { file, target, state, replace } = entry
    await client.uploads.asset(
      file,
      { path: target + file.name, ...(replace && { doOverwrite: true }) },
      {
        resume: state,
        signal: entry.stop.signal,
        onProgress: ({ sent }) => change(entry, { sent }),
        onState: (reached: UploadState) => {
          entry.state = reached
          return keep(entry)
        },
      },
    )
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    uploads: () => shown,
    add(files, target) {
      for (const file of files) {
        const kept: Kept = { id: crypto.randomUUID(), file, target }
        enter(kept)
        void keep(kept)
      }
      tell()
      next()
    },
    pause(id) {
      const entry = entries.get(id)!
      entry.stop.abort()
      change(entry, { stage: 'paused' })
    },
    go(id, replace = false) {
      const entry = entries.get(id)!
      Object.assign(entry, { twice: true, replace: entry.replace || replace, stop: new AbortController() })
      change(entry, { stage: 'waiting' })
      next()
    },
    skip(id) {
      const entry = entries.get(id)!
      entry.stop.abort()
      change(entry, { stage: 'skipped' })
      void forget(id)
    },
    clear() {
      for (const [id, { upload }] of entries) if (ended.has(upload.stage)) entries.delete(id)
      tell()
    },
    async takeUp() {
      const left = (await readKept()).filter(({ id }) => !entries.has(id))
      left.forEach(enter)
      tell()
      next()
      return left.length
    },
  }
}

async function twinOf(client: Client, file: File): Promise<string | undefined> {
  if (file.size > mostCompared) return undefined
  const [twin] = await client.dam['assets/duplicates'].retrieve({ checksums: [await digestOf(file)] })
  return twin && (twin.path ?? twin.name)
}
