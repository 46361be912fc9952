/** Changes of the data model. Each one invalidates all queries of the model. */
import { useChange } from '../../object/change.ts'
import { useClient, useMe } from '../../object/client.tsx'
import { modelKey } from '../../object/model.ts'

export function useModelChange() {
  const run = useChange(modelKey)
  const { pim } = useClient()
  const { roles = [] } = useMe()
  return {
    pim,
    /** Only administrators change categories; the API demands it. */
    mayNodes: roles.includes('admin'),
    /** Runs a change, reloads the model, and reports a refusal. */
    run,
  }
}
