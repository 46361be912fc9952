/** The rules of /peo/peos and /peo/peos/links: the handlers of their verbs. */
import type { Infer, Items, peo } from '@kontor/contract'
import { links, type Target, type Targets } from '../../common/api.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import { Problem } from '../../errors.ts'
import { copyPeos, deletePeos, unlinkPeos } from './peos.actions.ts'
import { type PeoNeeds, persistPeos } from './peos.persist.ts'
import { queryPeos, retrievePeos, retrieveValues } from './peos.retrieve.ts'
import * as rows from './peos.sql.ts'

export const peos = (needs: PeoNeeds): Handlers<typeof peo.resources.peos> => ({
  query: queryPeos,
  retrieve: (ctx, request) => retrievePeos(ctx, needs, request),
  persist: (ctx, items) => persistPeos(ctx, needs, items),
  perform: { delete: deletePeos, copy: copyPeos },
})

export const peoValues = (needs: PeoNeeds): Handlers<(typeof peo.resources)['peos/values']> => ({
  retrieve: (ctx, request) => retrieveValues(ctx, needs, request),
})

const kind = 'peoToProject'

export function peoLinks(targets: Targets): Handlers<(typeof peo.resources)['peos/links']> {
  const all = links(targets)
  return {
    async persist(ctx, groups, containers) {
      const refused = groups.map(refusalOf)
      const sound = groups.filter((_, i) => !refused[i])
      const settled = await all.persist(ctx, sound, containers)
      let next = 0
      return refused.map((problem) => problem ?? settled[next++]!)
    },
    perform: { unlink: (ctx, actions) => unlinkPeos(ctx, targets, actions) },
  }
}

/** Both ends must be identified by tid, or both by id. */
function refusalOf({ type, itms = [] }: Infer<typeof Items>): Problem | undefined {
  if (type !== kind) {
    return new Problem('invalid', `itms/@type: ${type ?? 'nothing'} is not allowed here; expected ${kind}`)
  }
  const isMixed = itms.some(({ itm = [] }) => new Set(itm.map(({ key }) => key?.endsWith('Tid'))).size > 1)
  return isMixed
    ? new Problem('invalid', 'itms: use peoTid with projectTid, or peoId with projectId, not both kinds')
    : undefined
}

/** Product extension objects as link targets. */
export const peoTarget: Target = {
  lock: (db, { ids, tids }) => rows.lockTargets(db, ids, tids),
  describe: rows.describeTargets,
}
