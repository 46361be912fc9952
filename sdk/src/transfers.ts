/** Files in and out: a file is sent as it is, and the transfer is watched until it ends. */
import { decode, formats, type Infer, transfer, Transfer } from '@kontor/contract'
import { crypto, type FileLike, setTimeout, type Signal, URLSearchParams } from './surroundings.ts'
import type { Transport } from './transport.ts'

type TransferValue = Infer<typeof Transfer>

export interface SendOptions {
  readonly name?: string
  readonly format?: string
  readonly profile?: string
}
export interface WatchOptions {
  readonly onProgress?: (transfer: TransferValue) => void
  readonly signal?: Signal
}
export interface FileTransfers {
  /** Sends a file; `controlTransfer` then says whether to validate or start it. */
  send(file: FileLike, options?: SendOptions): Promise<TransferValue>
  /** Waits until the transfer stands still: validated, paused or ended. */
  watch(id: string, options?: WatchOptions): Promise<TransferValue>
}

const moving = new Set(['running', 'validating'])

export function fileTransfers(transport: Transport): FileTransfers {
  const show = async (call: Parameters<Transport['send']>[0]) => {
    const reply = await transport.send(call)
    return decode(formats.json, Transfer, new Uint8Array(await reply.arrayBuffer())) as TransferValue
  }
  const headers = { accept: formats.json.mediaType }
  return {
    send(file, { name = file.name ?? 'import', ...options } = {}) {
      const query = new URLSearchParams({ name, ...options }).toString()
      const path = `${transfer.base}${transfer.routes.receiveImport.path}?${query}`
      const type = { 'content-type': 'application/octet-stream' }
      return show({ method: 'POST', path, body: file, headers: { ...headers, ...type }, idempotencyKey: crypto.randomUUID() }) // prettier-ignore
    },
    async watch(id, { onProgress, signal } = {}) {
      for (let wait = 200; ; wait = Math.min(wait * 1.3, 3000)) {
        const now = await show({ method: 'GET', path: `${transfer.base}/${id}`, headers, signal })
        onProgress?.(now)
        if (!moving.has(now.state!)) return now
        await new Promise<void>((resolve) => setTimeout(resolve, wait))
        signal?.throwIfAborted()
      }
    },
  }
}
