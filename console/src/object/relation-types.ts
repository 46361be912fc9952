/** The types of relations between products, articles and variations. */
import type { Infer, RelationType } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useClient } from './client.tsx'

export type RelationTypeMessage = Infer<typeof RelationType>

export function useRelationTypes(): readonly RelationTypeMessage[] {
  const { pim } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['relationTypes'],
    queryFn: async () => (await pim.listRelationTypes()).types ?? [],
  })
  return data
}
