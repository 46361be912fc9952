/** The upload queue of the session, and its current uploads. */
import type { Client } from '@kontor/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useClient } from '../../../object/client.tsx'
import { refreshAssets } from '../assets.ts'
import { createUploadQueue, type Upload, type UploadQueue } from './queue.ts'

const queues = new WeakMap<Client, UploadQueue>()

function queueOf(client: Client, queryClient: QueryClient): UploadQueue {
  let queue = queues.get(client)
  if (!queue) {
    queue = createUploadQueue(client, () => refreshAssets(queryClient))
    queues.set(client, queue)
  }
  return queue
}

export function useUploads(): { readonly queue: UploadQueue; readonly uploads: readonly Upload[] } {
  const queue = queueOf(useClient(), useQueryClient())
  return { queue, uploads: useSyncExternalStore(queue.subscribe, queue.uploads) }
}
