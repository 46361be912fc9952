/** Changes of the model, and what they invalidate: everything that was read of it. */
import { useChange } from '../../object/change.ts'
import { useClient, useMay, useMe } from '../../object/client.tsx'
import { modelKey } from '../../object/model.ts'

export function useModelChange() {
  const run = useChange(modelKey)
  const { pim } = useClient()
  const may = useMay()
  const { roles = [] } = useMe()
  return {
    pim,
    /** Nodes are for administrators, as the interface has it. */
    mayNodes: roles.includes('admin'),
    mayDefinitions: may('update', 'attrDefinition'),
    /** Runs a change and looks the model up again; a refusal is told. */
    run,
  }
}
