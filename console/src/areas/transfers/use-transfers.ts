/** Loads the transfers of the user, and polls while one is running. */
import type { Infer, Transfer as TransferShape, TransferRow as RowShape } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { saveFile } from '../../ui/save-file.ts'

export type Transfer = Infer<typeof TransferShape>
export type TransferRow = Infer<typeof RowShape>

const moving = new Set<string | undefined>(['running', 'validating'])
export const isRunning = ({ state }: Transfer) => moving.has(state)
/** Whether it has failed before it stored a row: its columns can be mapped in another way, and it can be started again. */
export const hasFailedAtStart = ({ direction, state, processed = 0 }: Transfer) =>
  direction === 'import' && state === 'failed' && Number(processed) === 0
/** Whether the columns of an import can still be mapped. */
export const isWaiting = (transfer: Transfer) =>
  transfer.state === 'received' || transfer.state === 'validated' || hasFailedAtStart(transfer)

const key = ['transfers'] as const
export const profilesKey = [...key, 'profiles'] as const

export function useTransfers() {
  const { transfers } = useClient()
  return useQuery({
    queryKey: key,
    queryFn: async () => (await transfers.listTransfers()).transfers ?? [],
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? 1000 : 15_000),
  })
}

/** The names of the mapping profiles. */
export function useProfiles() {
  const { transfers } = useClient()
  return useQuery({
    queryKey: profilesKey,
    queryFn: async () => ((await transfers.listProfiles()).profiles ?? []).flatMap(({ name }) => name ?? []),
  })
}

/** The mapped columns and first rows of an import. */
export function usePreview(id: string) {
  const { transfers } = useClient()
  return useQuery({
    queryKey: [...key, id, 'preview'],
    queryFn: () => transfers.previewImport({ params: { id }, query: { count: '10' } }),
    staleTime: Infinity,
  })
}

/** The first refused rows with their cells; the result file has all. */
export function useRefused({ id = '', state, refused = 0 }: Transfer) {
  const { transfers } = useClient()
  return useQuery({
    // A check and the import after it can refuse the same number of rows.
    queryKey: [...key, id, 'refused', state, Number(refused)],
    queryFn: () => transfers.listRows({ params: { id }, query: { status: 'refused', cells: 'true', count: '100' } }),
  })
}

export const useTransferChange = () => useChange(key)

/** Saves bytes as a file in the browser. */
export async function save(bytes: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of bytes) pieces.push(new Uint8Array(piece))
  const address = URL.createObjectURL(new Blob(pieces))
  saveFile(address, name)
  URL.revokeObjectURL(address)
}
