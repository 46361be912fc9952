/**
 * Unfinished uploads in the browser's IndexedDB, so that they survive a reload: the file, its target and its progress.
 */
import type { UploadState } from '@kontor/sdk'

export interface StoredUpload {
  readonly id: string
  readonly file: File
  readonly target: string
  state?: UploadState | undefined
}

const storeName = 'uploads'

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('kontor', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName, { keyPath: 'id' }))
  return resultOf(request)
}

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB is not available')))
  })

/** Without IndexedDB, or when it is full, uploads still work; only resuming after a reload is lost. */
async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
  fallback: T,
): Promise<T> {
  try {
    const database = await openDatabase()
    try {
      return await resultOf(work(database.transaction(storeName, mode).objectStore(storeName)))
    } finally {
      database.close()
    }
  } catch {
    return fallback
  }
}

export async function storeUpload({ id, file, target, state }: StoredUpload): Promise<void> {
  await withStore<IDBValidKey>('readwrite', (store) => store.put({ id, file, target, state }), id)
}
export async function deleteStoredUpload(id: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(id), undefined)
}
export const readStoredUploads = () => withStore<StoredUpload[]>('readonly', (store) => store.getAll(), [])
