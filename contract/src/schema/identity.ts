/** The identity area: users, groups, roles, clients, personal tokens, the audit log. A Kontor extension, JSON only. */
import { children, child, expects, keepsEmpty, leaf, leaves, required, type, map } from './describe.ts'

// The caller's own account

export const Person = type('person', 'A user and their permissions.', {
  id: leaf('string'),
  name: leaf('string'),
  displayName: leaf('string'),
  email: leaf('string'),
  roles: leaves('string', 'Roles of the user and of their groups.'),
  grants: children(() => RoleGrant, 'The combined grants of these roles.'),
  homeWidgets: leaves('string', 'Your widgets on the home page of the console, in order. Absent: the default ones.'),
})

export const ProfileChange = type(
  'profileChange',
  'Changes to your profile. Fields that are not sent remain unchanged.',
  {
    displayName: leaf('string', 'An empty text removes it.'),
    email: leaf('string', 'An empty text removes it.'),
    homeWidgets: expects(
      keepsEmpty(
        leaves(
          'string',
          'Widgets on the home page of the console, in order, each with at most 40 characters. An empty list restores the default.',
        ),
      ),
      0,
      50,
    ),
  },
)

export const PasswordChange = type('passwordChange', 'A new password. All sessions and tokens of the user end.', {
  current: required(leaf('string', 'The current password.')),
  password: required(leaf('string', 'The new password: 12 to 128 characters, not easy to guess.')),
})

export const TwoFactorState = type('twoFactorState', 'The state of two-factor authentication.', {
  enabled: leaf('boolean'),
  recoveryCodes: leaf('integer', 'Number of unused recovery codes.'),
})
export const TwoFactorSecret = type('twoFactorSecret', 'The secret for an authenticator app, shown once.', {
  secret: leaf('string', 'The secret in base32, for manual entry.'),
  uri: leaf('string', 'The secret as an otpauth URI, for a QR code.'),
})
export const TwoFactorCode = type('twoFactorCode', 'A current code of the authenticator app, or a recovery code.', {
  code: required(leaf('string')),
})
export const RecoveryCodes = type(
  'recoveryCodes',
  'Recovery codes for a lost authenticator app. Each can be used once. Shown once.',
  {
    codes: leaves('string'),
  },
)

export const LogoutNotice = type('logoutNotice', 'The end of a session at the external identity provider.', {
  logout_token: required(leaf('string', 'The logout token: a JWT signed by the provider.')),
})

const personalTokenKinds = ['access', 'offline'] as const

export const PersonalToken = type('personalToken', 'A personal token.', {
  id: leaf('string'),
  name: leaf('string'),
  kind: leaf(
    personalTokenKinds,
    'access: a token for calls. offline: a token that is exchanged for access tokens and survives sign-out.',
  ),
  createdAt: leaf('date'),
  lastUsedAt: leaf('date', 'Accurate to one minute. Absent if the token was never used.'),
  lastUsedFrom: leaf('string', 'Network address of the last use.'),
  session: leaf('string', 'The session id of its requests in the request log.'),
  expiresAt: leaf('date', 'When an offline token expires if it is not used.'),
  token: leaf('string', 'The token itself. Returned only when it is created; the server does not store it.'),
})

export const PersonalTokenList = type('personalTokenList', 'Personal tokens, newest first.', {
  tokens: children(() => PersonalToken),
})

export const NewPersonalToken = type('newPersonalToken', 'A new token. It has the same permissions as the caller.', {
  name: required(expects(leaf('string', 'The purpose of the token.'), 1, 255)),
  kind: required(leaf(personalTokenKinds)),
})

// Users

export const UserAccount = type('userAccount', 'A user account.', {
  id: leaf('string'),
  name: leaf('string'),
  displayName: leaf('string'),
  email: leaf('string'),
  enabled: leaf('boolean'),
  locked: leaf('boolean', 'Whether sign-in is temporarily blocked after too many failures.'),
  twoFactor: leaf('boolean', 'Whether two-factor authentication is on.'),
  mustChangePassword: leaf('boolean', 'Whether the user must change the password at the next sign-in.'),
  roles: leaves('string', 'Roles of the user, without those of groups.'),
  groups: leaves('string'),
  issuer: leaf('string', 'The external identity provider of the user, if any.'),
  createdAt: leaf('date'),
})

export const UserAccountList = type('userAccountList', 'Users by name.', {
  users: children(() => UserAccount),
  total: leaf('integer', 'Number of users on all pages.'),
})

export const NewUserAccount = type('newUserAccount', 'A new user.', {
  name: required(leaf('string')),
  displayName: leaf('string'),
  email: leaf('string'),
  password: leaf('string', 'Default: generated, returned in the reply, and must be changed at the first sign-in.'),
  roles: leaves('string', 'Without roles, here and by groups, the user may do nothing.'),
  groups: leaves('string'),
})

export const UserAccountChange = type(
  'userAccountChange',
  'Changes to a user. Fields that are not sent remain unchanged.',
  {
    displayName: leaf('string', 'An empty text removes it.'),
    email: leaf('string', 'An empty text removes it.'),
    enabled: leaf('boolean', 'false immediately ends all sessions of the user.'),
  },
)

export const PasswordReset = type(
  'passwordReset',
  'A new password for a user, who must change it at the next sign-in.',
  {
    password: leaf('string', 'Default: generated.'),
  },
)

export const ShownPassword = type('shownPassword', 'A generated password, shown once.', {
  id: leaf('string', 'Id of the user.'),
  password: leaf('string', 'Absent if the request contained the password.'),
})

export const RoleNames = type('roleNames', 'Roles that replace the current ones.', { roles: leaves('string') })
export const GroupNames = type('groupNames', 'Groups that replace the current ones.', { groups: leaves('string') })

// Groups and roles

export const UserGroup = type('userGroup', 'A group. Its members have the roles of the group.', {
  name: leaf('string'),
  description: leaf('string'),
  roles: leaves('string'),
  members: leaf('integer', 'Number of members.'),
})
export const UserGroupList = type('userGroupList', 'Groups by name.', { groups: children(() => UserGroup) })
export const UserGroupChange = type('userGroupChange', 'The new state of a group.', {
  description: leaf('string'),
  roles: leaves('string'),
})

export const NameRule = type(
  'nameRule',
  'A set of names: only these, or all except these. An empty `only` is nothing.',
  {
    only: keepsEmpty(leaves('string')),
    except: keepsEmpty(leaves('string')),
  },
)

export const AttributeRule = type(
  'attributeRule',
  'A set of attributes by tid: only these, or all except these. A group stands for the attributes that are in it at the time.',
  {
    only: keepsEmpty(leaves('string')),
    except: keepsEmpty(leaves('string')),
    onlyGroups: keepsEmpty(leaves('string', 'Groups of attributes by tid, in addition to only.')),
    exceptGroups: keepsEmpty(leaves('string', 'Groups of attributes by tid, in addition to except.')),
  },
)

export const GrantScopes = type(
  'grantScopes',
  'Paths of subtrees. A tree that is not named is not restricted; a tree with an empty list is closed.',
  {
    node: keepsEmpty(leaves('string', 'Classification nodes, for example /Boats/Sail.')),
    dir: keepsEmpty(leaves('string', 'Directories of assets.')),
    channel: keepsEmpty(leaves('string')),
    keyword: keepsEmpty(leaves('string')),
  },
)

export const RoleGrant = type('roleGrant', 'A permission of a role. Everything that it names must exist.', {
  kind: required(leaf('string', 'A kind of object (product, asset, keyword, …), or * for all.')),
  actions: required(
    leaves('string', 'read, create, update, delete, link, checkout, administer, override, share, or *.'),
  ),
  scopes: child(() => GrantScopes, 'The subtrees to which the grant is limited.'),
  visibleAttributes: child(() => AttributeRule, 'Attributes by tid, and groups of them. Default: all.'),
  editableAttributes: child(() => AttributeRule, 'Attributes by tid, and groups of them. Default: all.'),
  visibleLocales: child(() => NameRule, 'Locales such as de_DE. Default: all.'),
  editableLocales: child(() => NameRule, 'Locales such as de_DE. Default: all.'),
})

export const UserRole = type('userRole', 'A role and its grants.', {
  name: leaf('string'),
  description: leaf('string'),
  grants: children(() => RoleGrant),
})
export const UserRoleList = type('userRoleList', 'Roles by name.', { roles: children(() => UserRole) })
export const UserRoleChange = type('userRoleChange', 'The new state of a role.', {
  description: leaf('string'),
  grants: children(() => RoleGrant),
})

export const RoleTrial = type('roleTrial', 'A role to be tried. It is not stored.', {
  name: leaf('string', 'The role that these grants would replace; absent for a new one.'),
  user: leaf('string', 'The name of a user who would have the role in addition to their others. Default: nobody else.'),
  grants: children(() => RoleGrant),
})
export const TrialObject = type('trialObject', 'An object that the role may read.', {
  tid: leaf('string'),
  name: leaf('string'),
  path: leaf('string'),
  editable: leaf('boolean', 'Whether the role may update it.'),
})
export const TrialKind = type('trialKind', 'What the role may do to the objects of a kind.', {
  kind: leaf('string', 'product, asset, project, node or keyword.'),
  total: leaf('integer'),
  readable: leaf('integer'),
  editable: leaf('integer', 'Number of objects that may be updated.'),
  samples: children(() => TrialObject, 'Up to five, those that may be updated first.'),
})
export const RoleTrialResult = type('roleTrialResult', 'What a role would allow.', {
  viewAs: leaf('string', 'A value of the header Kontor-View-As.'),
  roles: leaves('string', 'The roles that were tried together.'),
  grants: children(() => RoleGrant, 'The combined grants of these roles.'),
  kinds: children(() => TrialKind),
})

// Clients

export const ClientAccount = type('clientAccount', 'A client of the identity provider.', {
  id: leaf('string'),
  name: leaf('string'),
  confidential: leaf('boolean', 'Whether the client has a secret.'),
  redirectUris: leaves('string', 'Allowed redirect URIs, compared exactly.'),
  roles: leaves('string', 'Roles of the client itself (client credentials).'),
  enabled: leaf('boolean'),
  createdAt: leaf('date'),
  secret: leaf('string', 'Returned only when it is created.'),
})
export const ClientAccountList = type('clientAccountList', 'Clients by id.', { clients: children(() => ClientAccount) })
export const NewClientAccount = type('newClientAccount', 'A new client with a secret.', {
  id: required(leaf('string')),
  name: leaf('string'),
  redirectUris: leaves('string'),
  roles: leaves('string'),
})
export const ClientAccountChange = type(
  'clientAccountChange',
  'Changes to a client. Fields that are not sent remain unchanged.',
  {
    name: leaf('string'),
    redirectUris: leaves('string'),
    roles: leaves('string'),
    enabled: leaf('boolean', 'false immediately ends all sessions of the client.'),
    renewSecret: leaf('boolean', 'true creates a new secret and revokes the old one.'),
  },
)

// The audit log

export const AuditEntry = type('auditEntry', 'One event of the audit log.', {
  seq: leaf('long', 'Sequence number, without gaps.'),
  at: leaf('date'),
  actor: leaf('string', 'Name of the user.'),
  client: leaf('string'),
  session: leaf('string'),
  address: leaf('string'),
  action: leaf('string', 'sign-in, token.refresh, user.create, …'),
  object: leaf('string', 'The affected object.'),
  outcome: leaf(['success', 'failure']),
  detail: map('Further details.'),
  supportId: leaf('string'),
})
export const AuditEntryList = type('auditEntryList', 'Events, newest first.', { events: children(() => AuditEntry) })
