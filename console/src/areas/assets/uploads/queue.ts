/**
 * The upload queue: a few files at a time, each in chunks, with progress, pause and retry.
 *
 *   waiting -> checking -> sending -> done
 *                 |           |-----> paused, exists, refused   (resumed by the user)
 *                 |-----------------> duplicate                 (the user uploads anyway, or skips)
 *
 * A file is hashed before it is sent; when the server already has the same bytes, the user is asked. Unfinished uploads
 * are stored in the browser (stored-uploads.ts), so that they are resumed after a reload. The queue outlives the page
 * that filled it.
 */
import type { Client, UploadState } from '@kontor/sdk'
import { digestOf } from './digest.ts'
import { deleteStoredUpload, readStoredUploads, type StoredUpload, storeUpload } from './stored-uploads.ts'

export type Stage =
  'waiting' | 'checking' | 'duplicate' | 'sending' | 'paused' | 'done' | 'exists' | 'refused' | 'skipped'

export interface Upload {
  readonly id: string
  readonly name: string
  readonly size: number
  /** The folder, with a slash at the end. */
  readonly target: string
  readonly stage: Stage
  readonly sent: number
  /** The path of the asset that has the same bytes. */
  readonly duplicatePath?: string
  readonly reason?: string
}

interface Entry extends StoredUpload {
  upload: Upload
  /** The user agreed to upload bytes that the server already has. */
  allowDuplicate: boolean
  /** The user agreed to replace the file of the same name. */
  replace: boolean
  stop: AbortController
}

export interface UploadQueue {
  subscribe(listener: () => void): () => void
  /** The same list until something changes. */
  uploads(): readonly Upload[]
  add(files: readonly File[], target: string): void
  pause(id: string): void
  /**
   * Continues an upload that is paused, was refused or waits for an answer; `replace` overwrites the file of that name.
   */
  resume(id: string, replace?: boolean): void
  skip(id: string): void
  clear(): void
  /** Resumes the stored uploads of an earlier page; returns how many. */
  resumeStored(): Promise<number>
}

const maxConcurrent = 3
/** Larger files are not hashed, because that would read them twice. */
const maxHashedBytes = 256 * 1024 * 1024
const finalStages = new Set<Stage>(['done', 'skipped'])

export function createUploadQueue(client: Client, onDone: () => void): UploadQueue {
  const list = createUploadList()
  let running = 0
  const startNext = () => {
    for (const entry of list.entries.values()) {
      if (running >= maxConcurrent) return
      if (entry.upload.stage !== 'waiting') continue
      running++
      void run(client, entry, list.change, onDone).finally(() => {
        running--
        startNext()
      })
    }
  }
  return {
    subscribe: list.subscribe,
    uploads: list.uploads,
    add(files, target) {
      for (const file of files) {
        const stored: StoredUpload = { id: crypto.randomUUID(), file, target }
        list.add(stored)
        void storeUpload(stored)
      }
      list.notify()
      startNext()
    },
    pause(id) {
      const entry = list.entries.get(id)!
      entry.stop.abort()
      list.change(entry, { stage: 'paused' })
    },
    resume(id, replace = false) {
      const entry = list.entries.get(id)!
      Object.assign(entry, { allowDuplicate: true, replace: entry.replace || replace, stop: new AbortController() })
      list.change(entry, { stage: 'waiting' })
      startNext()
    },
    skip(id) {
      const entry = list.entries.get(id)!
      entry.stop.abort()
      list.change(entry, { stage: 'skipped' })
      void deleteStoredUpload(id)
    },
    clear() {
      for (const [id, { upload }] of list.entries) if (finalStages.has(upload.stage)) list.entries.delete(id)
      list.notify()
    },
    async resumeStored() {
      const unfinished = (await readStoredUploads()).filter(({ id }) => !list.entries.has(id))
      unfinished.forEach(list.add)
      list.notify()
      startNext()
      return unfinished.length
    },
  }
}

type Change = (entry: Entry, changed: Partial<Upload>) => void

/** The entries of the queue and the listeners to their changes. */
function createUploadList() {
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  let snapshot: readonly Upload[] = []
  const notify = () => {
    snapshot = [...entries.values()].map(({ upload }) => upload)
    for (const listener of listeners) listener()
  }
  const change: Change = (entry, changed) => {
    entry.upload = { ...entry.upload, ...changed }
    notify()
  }
  return {
    entries,
    notify,
    change,
    uploads: () => snapshot,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(stored: StoredUpload) {
      const { id, file, target, state } = stored
      const sent = state ? Math.min(file.size, state.sent.length * state.chunkSize) : 0
      const upload: Upload = { id, name: file.name, size: file.size, target, stage: 'waiting', sent }
      const allowDuplicate = state !== undefined
      entries.set(id, { ...stored, upload, allowDuplicate, replace: false, stop: new AbortController() })
    },
  }
}

async function run(client: Client, entry: Entry, change: Change, onDone: () => void): Promise<void> {
  change(entry, { stage: 'checking' })
  try {
    const duplicatePath = entry.allowDuplicate ? undefined : await findDuplicate(client, entry.file)
    if (duplicatePath !== undefined) return change(entry, { stage: 'duplicate', duplicatePath })
    change(entry, { stage: 'sending' })
    await send(client, entry, change)
    change(entry, { stage: 'done', sent: entry.file.size })
    await deleteStoredUpload(entry.id)
    onDone()
  } catch (error) {
    if (entry.stop.signal.aborted) return
    const { message, status } = error as { message: string; status?: number }
    change(entry, status === 403 ? { stage: 'exists', reason: message } : { stage: 'refused', reason: message })
  }
}

async function send(client: Client, entry: Entry, change: Change): Promise<void> {
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
        return storeUpload(entry)
      },
    },
  )
}

async function findDuplicate(client: Client, file: File): Promise<string | undefined> {
  if (file.size > maxHashedBytes) return undefined
  const [duplicate] = await client.dam['assets/duplicates'].retrieve({ checksums: [await digestOf(file)] })
  return duplicate && (duplicate.path ?? duplicate.name)
}
