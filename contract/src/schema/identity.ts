/** Shapes of the identity area: people, groups, roles, clients, personal tokens, the audit log. All ours, JSON only. */
import { children, child, leaf, leaves, required, type, map } from './describe.ts'

// What one is oneself

export const Person = type('person', 'Who somebody is and what they may do.', {
  id: leaf('string'),
  name: leaf('string'),
  displayName: leaf('string'),
  email: leaf('string'),
  roles: leaves('string', 'Own ones and those of groups.'),
  grants: children(() => RoleGrant, 'What these roles allow, together.'),
})

export const ProfileChange = type('profileChange', 'What to change about oneself; the rest stays.', {
  displayName: leaf('string', 'Empty removes it.'),
  email: leaf('string', 'Empty removes it.'),
})

export const PasswordChange = type('passwordChange', 'A new password; every session and token of the user ends.', {
  current: required(leaf('string', 'The present password.')),
  password: required(leaf('string', 'The new one: 12 to 128 characters, not easy to guess.')),
})

export const TwoFactorState = type('twoFactorState', 'Whether one signs in with a second factor.', {
  enabled: leaf('boolean'),
  recoveryCodes: leaf('integer', 'How many recovery codes are left.'),
})
export const TwoFactorSecret = type('twoFactorSecret', 'What an authenticator app needs, shown once.', {
  secret: leaf('string', 'In base32, for typing.'),
  uri: leaf('string', 'The same as otpauth address, for a QR code.'),
})
export const TwoFactorCode = type('twoFactorCode', 'A code that the app shows now, or a recovery code.', {
  code: required(leaf('string')),
})
export const RecoveryCodes = type('recoveryCodes', 'For the day the app is lost: each is good once. Shown once.', {
  codes: leaves('string'),
})

export const personalTokenKinds = ['access', 'offline'] as const

export const PersonalToken = type('personalToken', 'A token somebody made for themselves.', {
  id: leaf('string'),
  name: leaf('string'),
  kind: leaf(personalTokenKinds, 'access calls the API; offline is exchanged for access tokens and survives logout.'),
  createdAt: leaf('date'),
  lastUsedAt: leaf('date', 'Absent when it was not used yet; exact to a minute.'),
  lastUsedFrom: leaf('string', 'The network address of the last use.'),
  session: leaf('string', 'What its requests are under in the request log.'),
  expiresAt: leaf('date', 'For offline tokens, if they are not used before.'),
  token: leaf('string', 'The token itself: only in the reply that made it, and kept nowhere.'),
})

export const PersonalTokenList = type('personalTokenList', 'Personal tokens, newest first.', {
  tokens: children(() => PersonalToken),
})

export const NewPersonalToken = type('newPersonalToken', 'A token to make. It has exactly the rights of the caller.', {
  name: required(leaf('string', 'What it is for, 1 to 255 characters.')),
  kind: required(leaf(personalTokenKinds)),
})

// Users

export const UserAccount = type('userAccount', 'A user as administrators see them.', {
  id: leaf('string'),
  name: leaf('string'),
  displayName: leaf('string'),
  email: leaf('string'),
  enabled: leaf('boolean'),
  locked: leaf('boolean', 'Whether sign-in is refused for a while, after too many failures.'),
  twoFactor: leaf('boolean', 'Whether a code is asked for after the password.'),
  mustChangePassword: leaf('boolean', 'Whether the login page asks for another password first.'),
  roles: leaves('string', 'Own ones, without those of groups.'),
  groups: leaves('string'),
  issuer: leaf('string', 'The other identity provider the user comes from, if they do.'),
  createdAt: leaf('date'),
})

export const UserAccountList = type('userAccountList', 'Users by name.', {
  users: children(() => UserAccount),
  total: leaf('integer', 'How many there are on all pages together.'),
})

export const NewUserAccount = type('newUserAccount', 'A user to make.', {
  name: required(leaf('string')),
  displayName: leaf('string'),
  email: leaf('string'),
  password: leaf('string', 'When absent one is made up, shown in the reply, and to be changed at the first sign-in.'),
  roles: leaves('string', 'Default user.'),
  groups: leaves('string'),
})

export const UserAccountChange = type('userAccountChange', 'What to change about a user; the rest stays.', {
  displayName: leaf('string', 'Empty removes it.'),
  email: leaf('string', 'Empty removes it.'),
  enabled: leaf('boolean', 'false ends every session of the user at once.'),
})

export const PasswordReset = type(
  'passwordReset',
  'A password chosen for somebody, to be changed at the next sign-in.',
  {
    password: leaf('string', 'When absent one is made up.'),
  },
)

export const ShownPassword = type('shownPassword', 'A password that was made up, shown once.', {
  id: leaf('string', 'Of the user.'),
  password: leaf('string', 'Absent when it was given.'),
})

export const RoleNames = type('roleNames', 'Roles, replacing those before.', { roles: leaves('string') })
export const GroupNames = type('groupNames', 'Groups, replacing those before.', { groups: leaves('string') })

// Groups and roles

export const UserGroup = type('userGroup', 'A group: it brings its roles to its members.', {
  name: leaf('string'),
  description: leaf('string'),
  roles: leaves('string'),
  members: leaf('integer', 'How many there are.'),
})
export const UserGroupList = type('userGroupList', 'Groups by name.', { groups: children(() => UserGroup) })
export const UserGroupChange = type('userGroupChange', 'A group as it shall be.', {
  description: leaf('string'),
  roles: leaves('string'),
})

export const NameRule = type('nameRule', 'Which names: only these, or all except those.', {
  only: leaves('string'),
  except: leaves('string'),
})

export const GrantScopes = type('grantScopes', 'Paths of subtrees. A tree that is not named is open as a whole.', {
  node: leaves('string', 'Classification nodes: /Boats/Sail.'),
  dir: leaves('string', 'Directories of assets.'),
  channel: leaves('string'),
  keyword: leaves('string'),
})

export const RoleGrant = type('roleGrant', 'What a role allows.', {
  kind: required(leaf('string', 'A kind of object (product, asset, keyword, …), or * for all.')),
  actions: required(leaves('string', 'read, create, update, delete, link, checkout, administer, or *.')),
  scopes: child(() => GrantScopes, 'The subtrees it is narrowed to.'),
  visibleAttributes: child(() => NameRule, 'By tid; all when absent.'),
  editableAttributes: child(() => NameRule, 'By tid; all when absent.'),
  visibleLocales: child(() => NameRule, 'Like de_DE; all when absent.'),
  editableLocales: child(() => NameRule, 'Like de_DE; all when absent.'),
})

export const UserRole = type('userRole', 'A role and what it allows.', {
  name: leaf('string'),
  description: leaf('string'),
  grants: children(() => RoleGrant),
})
export const UserRoleList = type('userRoleList', 'Roles by name.', { roles: children(() => UserRole) })
export const UserRoleChange = type('userRoleChange', 'A role as it shall be.', {
  description: leaf('string'),
  grants: children(() => RoleGrant),
})

// Clients

export const ClientAccount = type('clientAccount', 'A client of the identity provider.', {
  id: leaf('string'),
  name: leaf('string'),
  confidential: leaf('boolean', 'Whether it keeps a secret.'),
  redirectUris: leaves('string', 'Where people may be sent back to; compared whole.'),
  roles: leaves('string', 'What it may do on its own (client credentials).'),
  enabled: leaf('boolean'),
  createdAt: leaf('date'),
  secret: leaf('string', 'Only in the reply that made it.'),
})
export const ClientAccountList = type('clientAccountList', 'Clients by id.', { clients: children(() => ClientAccount) })
export const NewClientAccount = type('newClientAccount', 'A client with a secret, to be made.', {
  id: required(leaf('string')),
  name: leaf('string'),
  redirectUris: leaves('string'),
  roles: leaves('string'),
})
export const ClientAccountChange = type('clientAccountChange', 'What to change about a client; the rest stays.', {
  name: leaf('string'),
  redirectUris: leaves('string'),
  roles: leaves('string'),
  enabled: leaf('boolean', 'false ends every session of the client at once.'),
  renewSecret: leaf('boolean', 'true makes a new secret and voids the old one.'),
})

// The audit log

export const AuditEntry = type('auditEntry', 'One event of the audit log.', {
  seq: leaf('long', 'Without gaps.'),
  at: leaf('date'),
  actor: leaf('string', 'Who did it, by name.'),
  client: leaf('string'),
  session: leaf('string'),
  address: leaf('string'),
  action: leaf('string', 'sign-in, token.refresh, user.create, …'),
  object: leaf('string', 'What it was done to.'),
  outcome: leaf(['success', 'failure']),
  detail: map('More about it.'),
  supportId: leaf('string'),
})
export const AuditEntryList = type('auditEntryList', 'Events, newest first.', { events: children(() => AuditEntry) })
