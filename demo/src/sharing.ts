/** A collection of mood pictures, and a page that shares it. Its address is known to nobody; create another to try it. */
import type { ApiClient } from './api.ts'
import { sceneTids } from './media.ts'

const [collections, shares] = ['/api/v1/collections', '/api/v1/shares']
const [name, title] = ['Mood pictures for the press', 'Fjordlin: mood pictures']

interface Listed {
  readonly collections?: readonly { readonly id: number; readonly name: string }[]
  readonly shares?: readonly { readonly id: number; readonly title: string; readonly state: string }[]
}
const known = async (api: ApiClient) => ({
  collection: (await api.call<Listed>(collections, undefined, 'GET')).collections?.find((one) => one.name === name),
  pages: ((await api.call<Listed>(shares, undefined, 'GET')).shares ?? []).filter((one) => one.title === title),
})

export async function addSharing(api: ApiClient): Promise<void> {
  if ((await known(api)).collection) return
  const description = 'Scenes that papers and bloggers may print'
  const { id } = await api.call<{ id: number }>(collections, { name, description, roles: ['editor', 'reader'] })
  await api.call(`${collections}/${id}/assets`, { add: sceneTids })
  const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const message = 'Please name Fjordlin as the source.'
  await api.call(shares, { kind: 'download', title, message, expiresAt, collection: id, original: true })
}

export async function removeSharing(api: ApiClient): Promise<void> {
  const { collection, pages } = await known(api)
  if (collection) await api.call(`${collections}/${collection.id}`, undefined, 'DELETE')
  for (const { id, state } of pages) if (state === 'active') await api.call(`${shares}/${id}/revoke`, undefined)
}
