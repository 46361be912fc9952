/** Presence: the users who have an object open. A Kontor extension, JSON only. */
import { children, leaf, required, type } from './describe.ts'

export const presentTypes = ['product', 'asset', 'project'] as const

export const PresenceRequest = type('presenceRequest', 'An object that you have open.', {
  dataType: required(leaf(presentTypes)),
  tid: required(leaf('string')),
  editing: leaf('boolean', 'Whether you have unsaved changes. Default false.'),
  leave: leaf('boolean', 'true: you have closed it. Default false.'),
})
export const PresentUser = type('presentUser', 'A user who has the object open.', {
  user: leaf('string'),
  displayName: leaf('string'),
  editing: leaf('boolean', 'Whether the user has unsaved changes.'),
})
export const PresenceList = type('presenceList', 'The other users who have the object open.', {
  users: children(() => PresentUser),
})
