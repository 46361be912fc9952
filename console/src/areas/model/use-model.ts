/** Changes of the model, and what they invalidate: everything that was read of it. */
import { useQueryClient } from '@tanstack/react-query'
import { useClient, useMay, useMe } from '../../object/client.tsx'
import { modelKey } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { tellFailed } from '../../ui/tell.tsx'
import { words } from '../../ui/words.ts'

export function useModelChange() {
  const word = useTexts(words)
  const { pim } = useClient()
  const queries = useQueryClient()
  const may = useMay()
  const { roles = [] } = useMe()
  return {
    pim,
    /** Nodes are for administrators, as the interface has it. */
    mayNodes: roles.includes('admin'),
    mayDefinitions: may('update', 'attrDefinition'),
    /** Runs a change and looks the model up again; a refusal is told. */
    async run(work: () => Promise<unknown>): Promise<boolean> {
      try {
        await work()
        await queries.invalidateQueries({ queryKey: modelKey })
        return true
      } catch (error) {
        tellFailed(word('failed'), error)
        return false
      }
    },
  }
}
