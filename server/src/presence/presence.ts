/** /presence: who else has an object open. Only users who may read the object are listed, and only to such users. */
import { presence as contract } from '@kontor/contract'
import { mayAct, type Targets } from '../common/api.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import { findOthers, noteUser, removeUser } from './presence.sql.ts'

export function presence(targets: Targets) {
  const routes: RouteHandlers<typeof contract.routes> = {
    async announce({ db, caller }, { body: { dataType, tid, editing = false, leave = false } }) {
      const [row] = (await targets.get(dataType)?.describe(db, [], [tid])) ?? []
      if (!row || !mayAct(caller, 'read', dataType, row))
        throw new Problem('notFound', `no ${dataType} has the tid ${tid.slice(0, 100)}`)
      if (leave) await removeUser(db, row.id, caller.userName)
      else await noteUser(db, row.id, caller.userName, editing)
      const users = await findOthers(db, row.id, caller.userName)
      return {
        users: users.map(({ user, displayName, ...rest }) => ({ user, ...(displayName && { displayName }), ...rest })),
      }
    },
  }
  return { contract, resources: {}, routes }
}
