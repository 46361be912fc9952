/** The demo's users: at least one for each role, and two roles that are limited to a part of the catalogue. */
import type { ApiClient, DemoUsers } from './api.ts'
import { range } from './model.ts'

/** The user who writes the model. The account has no password and is disabled when the demo is complete. */
export const author = 'fjordlin'

/** The limited roles may read everything. */
const readAll = { kind: '*', actions: ['read'] }
// prettier-ignore
export const roles = [
  { name: 'translator-fr', description: 'Reads everything and edits the French texts of products.',
    grants: [readAll, { kind: 'product', actions: ['update'], editableLocales: { only: ['fr_FR'] } }] },
  { name: 'boats-editor', description: 'Reads everything and edits products of the group Boats and paddles.',
    grants: [readAll, { kind: 'product', actions: ['create', 'update', 'delete', 'link'], scopes: { node: [`/${range}/Boats`] } }] },
]

// prettier-ignore
export const people = [
  { name: 'ingrid', displayName: 'Ingrid Solberg',  roles: ['admin'],         email: 'ingrid@fjordlin.example' },
  { name: 'greta',  displayName: 'Greta Holm',      roles: ['editor'],        email: 'greta@fjordlin.example' },
  { name: 'paul',   displayName: 'Paul Mercier',    roles: ['editor'],        email: 'paul@fjordlin.example' },
  { name: 'chiara', displayName: 'Chiara Costa',    roles: ['user'],          email: 'chiara@fjordlin.example' },
  { name: 'amelie', displayName: 'Amélie Roux',     roles: ['translator-fr'], email: 'amelie@fjordlin.example' },
  { name: 'jonas',  displayName: 'Jonas Berg',      roles: ['boats-editor'],  email: 'jonas@fjordlin.example' },
  { name: 'otto',   displayName: 'Otto Lind',       roles: ['reader'],        email: 'otto@fjordlin.example' },
]

const at = '/api/v1/identity'

/** Creates the author without the interface, because an empty system has no user who could call it. */
export async function ensureAuthor(users: DemoUsers): Promise<void> {
  const known = await users.find({ name: author })
  if (!known) return void (await users.create({ name: author, displayName: 'Fjordlin demo', roles: ['admin'] }))
  await users.setRoles(known.id, ['admin'])
  if (!known.enabled) await users.setEnabled(known.id, true)
}

export async function addPeople(api: ApiClient, users: DemoUsers, password: string): Promise<void> {
  for (const { name, ...role } of roles) await api.call(`${at}/roles/${name}`, role, 'PUT')
  for (const person of people) {
    const known = await users.find({ name: person.name })
    if (!known) await api.call(`${at}/users`, { ...person, password })
    else if (!known.enabled) await users.setEnabled(known.id, true)
  }
}

/** Histories refer to the users, so they are disabled and not deleted. */
export async function removePeople(api: ApiClient, users: DemoUsers): Promise<void> {
  for (const { name } of people) {
    const known = await users.find({ name })
    if (known) await users.setEnabled(known.id, false)
  }
  const { roles: existing } = await api.call<{ roles: { name: string }[] }>(`${at}/roles`, undefined, 'GET')
  for (const { name } of roles) {
    if (existing.some((role) => role.name === name)) await api.call(`${at}/roles/${name}`, undefined, 'DELETE')
  }
}
