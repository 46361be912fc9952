/** The Common area: which handlers answer which part of the contract. */
import { common as contract } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../core/batch/batch.ts'
import type { ResourceHandlers } from '../core/batch/handlers.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { type Components, retrieveComponents } from './components/components.ts'
import { glossaries } from './glossaries/glossaries.ts'
import { glossaryEntries } from './glossaryEntries/glossaryEntries.ts'
import { keywords, keywordTarget } from './keywords/keywords.ts'
import { linkActions, links } from './links/links.ts'
import type { Targets } from './links/targets.ts'
import { putLocale } from './locales/locale-use.ts'
import { locales } from './locales/locales.ts'
import { messages, type Recipients } from './messages/messages.ts'
import { listRuns } from './runs/runs.ts'
import { mountTransform } from './transform/transform.ts'
import { units } from './units/units.ts'

export { commonUses } from './uses/common-uses.sql.ts'

interface CommonNeeds {
  /** Objects of other areas that can be linked. */
  readonly targets: Targets
  readonly recipients: Recipients
  readonly components: Components
}

export function common({ targets: others, recipients, components }: CommonNeeds) {
  const targets: Targets = new Map([...others, ['keyword', keywordTarget]])
  const resources: ResourceHandlers<typeof contract.resources> = {
    keywords: keywords(targets),
    glossaries,
    glossaryEntries,
    links: links(targets),
    'links/actions': linkActions(targets),
    locales,
  }
  const routes: RouteHandlers<Omit<typeof contract.routes, 'transform'>> = {
    ...messages(recipients),
    retrieveComponents: retrieveComponents(components),
    listRuns,
    putLocale,
    ...units,
  }
  const plugin = (app: FastifyInstance, services: Services) =>
    mountTransform(app, services, contract.base + contract.routes.transform.path)
  return { contract, resources, routes, plugin }
}
