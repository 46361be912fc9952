/** All areas of the interface: the source of the OpenAPI document, the reference manual and the clients. */
import type { Area } from '../endpoint.ts'
import { care } from './care.ts'
import { change } from './change.ts'
import { cm } from './cm.ts'
import { collection, sharePages, shares } from './collection.ts'
import { common } from './common.ts'
import { dam } from './dam.ts'
import { events, webhooks } from './events.ts'
import { feed } from './feed.ts'
import { identity } from './identity.ts'
import { peo } from './peo.ts'
import { pim } from './pim.ts'
import { presence } from './presence.ts'
import { requests } from './requests.ts'
import { rule } from './rule.ts'
import { search } from './search.ts'
import { system } from './system.ts'
import { transfer } from './transfer.ts'
import { workflow } from './workflow.ts'

export const areas: readonly Area[] = [
  care,
  change,
  cm,
  collection,
  common,
  dam,
  events,
  feed,
  identity,
  peo,
  pim,
  presence,
  requests,
  rule,
  search,
  sharePages,
  shares,
  system,
  transfer,
  webhooks,
  workflow,
]
