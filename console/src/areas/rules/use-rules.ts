/** Loads the rules of the user and their runs, and polls while one is running. */
import type { Infer, Rule as RuleShape } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import type { BulkChange } from '../../object/bulk/operations.ts'
import { isWorking } from '../../object/bulk/use-changes.ts'
import { useChange } from '../../object/change.ts'
import { useClient } from '../../object/client.tsx'

export type Rule = Infer<typeof RuleShape>

const key = ['rules'] as const
const often = (changes: readonly (BulkChange | undefined)[]) => changes.some((one) => one && isWorking(one))

export function useRules() {
  const { rules } = useClient()
  return useQuery({
    queryKey: key,
    queryFn: async () => (await rules.listRules()).rules ?? [],
    refetchInterval: ({ state }) => (often(state.data?.map(({ lastRun }) => lastRun) ?? []) ? 1000 : 15_000),
  })
}

export function useRuns({ name = '', lastRun }: Rule) {
  const { rules } = useClient()
  return useQuery({
    queryKey: [...key, name, 'runs', lastRun?.id, lastRun?.state],
    queryFn: async () => (await rules.listRuleRuns({ params: { name }, query: { count: '20' } })).changes ?? [],
    refetchInterval: ({ state }) => (often(state.data ?? []) ? 1000 : false),
    placeholderData: (previous) => previous,
  })
}

export const useRuleChange = () => useChange(key)
