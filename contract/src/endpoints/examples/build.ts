/** Helpers for the samples of all areas. The samples share one set of objects: a shop that sells a dinghy. */
import { schemaVersion } from '../../schema/envelope.ts'

interface Example {
  readonly request?: object
  /** Not needed for persist, perform and bulk: their replies are generated from the declaration. */
  readonly reply?: object
}
export type Examples = Readonly<Record<string, Example>>

type Texts = Readonly<Record<string, string>>

export const pim = (contents: object) => ({ schemaVersion, ...contents })
export const items = (values: Texts) => ({ itm: Object.entries(values).map(([key, value]) => ({ value, key })) })
export const byLocale = (values: Texts) => ({ itm: Object.entries(values).map(([loc, value]) => ({ value, loc })) })
export const actions = (...action: object[]) => ({ request: pim({ actions: { action } }) })

/** The meta of every reply of the Core API. */
export const replyMeta = (more: Texts = {}) =>
  items({ messageType: 'request', messageTime: '2025-03-05T08:00:00.000Z', sourceEnv: 'web', ...more })
export const replyWith = (itemInformationType: string, contents: object) =>
  pim({ meta: replyMeta({ itemInformationType }), ...contents })

export const noon = '2025-03-05T12:00:00.000Z'
