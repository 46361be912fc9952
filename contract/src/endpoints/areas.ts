/** Every area of the interface, for what is made from all of them: the OpenAPI document, the manual, the clients. */
import type { Area } from '../endpoint.ts'
import { cm } from './cm.ts'
import { common } from './common.ts'
import { dam } from './dam.ts'
import { events, webhooks } from './events.ts'
import { identity } from './identity.ts'
import { peo } from './peo.ts'
import { pim } from './pim.ts'
import { requests } from './requests.ts'
import { search } from './search.ts'
import { transfer } from './transfer.ts'
import { workflow } from './workflow.ts'

export const areas: readonly Area[] = [
  cm,
  common,
  dam,
  events,
  identity,
  peo,
  pim,
  requests,
  search,
  transfer,
  webhooks,
  workflow,
]
