/** The PEO area: which handlers answer which part of the contract. */
import { peo as contract } from '@kontor/contract'
import type { AreaUses, Target } from '../common/api.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import type { PeoNeeds } from './peos/peos.persist.ts'
import { listPeos } from './peos/peos.retrieve.ts'
import { peoLinks, peos, peoTarget, peoValues } from './peos/peos.ts'
import { usersOfProducts, usersOfTemplates } from './peos/peos.sql.ts'
import { describeTemplates } from './templates/templates.sql.ts'
import { listTemplates, templateAdmin } from './templates/templates.ts'

/** The link targets of this area. */
export const peoTargets: readonly [string, Target][] = [['peo', peoTarget]]

/** Uses between objects of this and other areas. */
export const peoUses: AreaUses = {
  kinds: [['template', { describe: describeTemplates, like: 'peo' }]],
  uses: [
    ['product', usersOfProducts],
    ['template', usersOfTemplates],
  ],
}

export function peo(needs: PeoNeeds) {
  const resources: ResourceHandlers<typeof contract.resources> = {
    peos: peos(needs),
    'peos/links': peoLinks(needs.targets),
    'peos/values': peoValues(needs),
    'admin/templates': templateAdmin,
  }
  const routes: RouteHandlers<typeof contract.routes> = { listPeos, listTemplates }
  return { contract, resources, routes }
}
