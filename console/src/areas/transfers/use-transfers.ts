/** Loads the transfers of the user, and polls while one is running. */
import type { Infer, Transfer as TransferShape } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'
import { saveFile } from '../../ui/save-file.ts'

export type Transfer = Infer<typeof TransferShape>

const moving = new Set<string | undefined>(['running', 'validating'])
export const isRunning = ({ state }: Transfer) => moving.has(state)
export const isWaiting = ({ state }: Transfer) => state === 'received' || state === 'validated'

const key = ['transfers'] as const

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
    queryKey: [...key, 'profiles'],
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

/** The first refused rows; the result file has all. */
export function useRefused({ id = '', refused = 0 }: Transfer) {
  const { transfers } = useClient()
  return useQuery({
    queryKey: [...key, id, 'refused', Number(refused)],
    queryFn: async () =>
      (await transfers.listRows({ params: { id }, query: { status: 'refused', count: '100' } })).rows ?? [],
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
