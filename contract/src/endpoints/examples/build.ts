/** What the samples of all areas are made with. Their objects know each other: a shop that sells a dinghy. */
import { schemaVersion } from '../../schema/envelope.ts'

export interface Example {
  readonly request?: object
  /** Of persist, perform and bulk the replies are all alike and made from the declaration. */
  readonly reply?: object
}
export type Examples = Readonly<Record<string, Example>>

type Words = Readonly<Record<string, string>>

export const pim = (contents: object) => ({ schemaVersion, ...contents })
export const items = (values: Words) => ({ itm: Object.entries(values).map(([key, value]) => ({ value, key })) })
export const byLocale = (values: Words) => ({ itm: Object.entries(values).map(([loc, value]) => ({ value, loc })) })
export const actions = (...action: object[]) => ({ request: pim({ actions: { action } }) })

/** What every reply of the Core API says of itself. */
export const replyMeta = (more: Words = {}) =>
  items({ messageType: 'request', messageTime: '2025-03-05T08:00:00.000Z', sourceEnv: 'web', ...more })
export const replyWith = (itemInformationType: string, contents: object) =>
  pim({ meta: replyMeta({ itemInformationType }), ...contents })

export const noon = '2025-03-05T12:00:00.000Z'
