/** Changes of the data model. Each one invalidates all queries of the model. */
import { useChange } from './change.ts'
import { useClient, useMay, useMe } from './client.tsx'
import { modelKey } from './model.ts'

export function useModelChange() {
  const run = useChange(modelKey)
  const { pim } = useClient()
  const { roles = [] } = useMe()
  return {
    pim,
    /** Only administrators change categories; the API demands it. */
    mayNodes: roles.includes('admin'),
    /** Whether the user may create and change attributes of products. */
    mayDefine: useMay()('update', 'attrDefinition'),
    /** Runs a change, reloads the model, and reports a refusal. */
    run,
  }
}
