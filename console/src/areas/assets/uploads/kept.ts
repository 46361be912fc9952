/** What is under way, kept by the browser beyond the page: the file itself, where it goes, how far it is. */
import type { UploadState } from '@kontor/sdk'

export interface Kept {
  readonly id: string
  readonly file: File
  readonly target: string
  state?: UploadState | undefined
}

const store = 'uploads'

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('kontor', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store, { keyPath: 'id' }))
  return answerOf(request)
}

const answerOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')))
  })

/** A browser that keeps nothing, or has no room, only loses the resuming. */
async function attempt<T>(
  mode: IDBTransactionMode,
  work: (kept: IDBObjectStore) => IDBRequest<T>,
  instead: T,
): Promise<T> {
  try {
    const database = await open()
    try {
      return await answerOf(work(database.transaction(store, mode).objectStore(store)))
    } finally {
      database.close()
    }
  } catch {
    return instead
  }
}

export async function keep({ id, file, target, state }: Kept): Promise<void> {
  await attempt<IDBValidKey>('readwrite', (kept) => kept.put({ id, file, target, state }), id)
}
export async function forget(id: string): Promise<void> {
  await attempt('readwrite', (kept) => kept.delete(id), undefined)
}
export const readKept = () => attempt<Kept[]>('readonly', (kept) => kept.getAll(), [])
